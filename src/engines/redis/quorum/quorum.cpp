#include "engines/redis/quorum/quorum.hpp"

#include "engines/redis/contest/contest.hpp"
#include "engines/redis/contest/drain.hpp"
#include "engines/redis/examine/questions.hpp"
#include "engines/redis/queue/hand_overs.hpp"
#include "engines/redis/queue/queue_stand.hpp"
#include "engines/redis/rounds/detachable_round.hpp"
#include "engines/redis/rounds/joint_round.hpp"
#include "engines/redis/rounds/release.hpp"
#include "engines/redis/rounds/renew_round.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "engines/redis/watch/listener_count.hpp"
#include "engines/redis/watch/watches.hpp"

#include <redlock/observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <utility>

namespace redlock::redis {

quorum::quorum(redis::settings s, turn::turns& t, std::uint64_t seed)
    : settings_(std::move(s)),
      turns_(t),
      client_name_(core::draw(*settings_.entropy)),
      fences_(settings_.fence_retention),
      proposals_(*this, seed),
      watches_(std::make_unique<watches>(*this)),
      hands_(std::make_unique<hand_overs>(*this)),
      window_(settings_.max_inflight, settings_.node_timeout) {}

quorum::~quorum() { abandon(); }

void quorum::set_nodes(const std::vector<node::node*>& nodes, const std::vector<node::node*>& ears,
                       std::function<void(std::uint32_t node)> start_ear) {
    start_ear_ = std::move(start_ear);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        sessions_.emplace_back(*nodes[i], *ears[i]);
    std::vector<node::fast_path*> paths;
    std::ranges::transform(nodes, std::back_inserter(paths), &node::node::fast);
    broadcast_.set_nodes(std::move(paths));
    debts_.resize(sessions_.size());
    watches_->set_nodes(this->nodes());
}

// Behind the requests that waited for the connection: those are somebody's who waits.
void quorum::before_routines() {
    for (const std::uint32_t node : std::exchange(newly_ready_, {})) {
        watches_->node_ready(node);
        hands_->node_ready(node);
    }
}

bool quorum::send_what_waits(bool flushes) noexcept {
    if (!flushes && is_busy()) return false;
    if (nothing_waits()) return false;
    pending_renewals_.send();
    pending_advances_.send();
    pending_releases_.send();
    pending_reads_.send();
    return true;
}

void quorum::after_routines() noexcept {
    broadcast_.hand_out();
    if (!has_unwritten()) forget_batch();
}

core::fence_clock::wall_time quorum::time_of_day() noexcept {
    if (std::exchange(asked_at_, now()) != now()) time_of_day_ = clock().time_of_day();
    return time_of_day_;
}

bool quorum::has_unwritten() const noexcept {
    return !proposals_.empty() || !nothing_waits() || broadcast_.has_unflushed() ||
           std::ranges::any_of(sessions_, [](const session& s) { return s.has_unwritten(); });
}

bool quorum::nothing_waits() const noexcept {
    return pending_renewals_.empty() && pending_advances_.empty() && pending_releases_.empty() &&
           pending_reads_.empty();
}

bool quorum::is_busy() const noexcept { return window_.inside() > 1 || turn::has_several(releases_); }

bool quorum::quiet() const noexcept { return releases_.empty(); }

void quorum::flush() noexcept {
    assert(nothing_waits());
    proposals_.send();
    broadcast_.hand_out();
    for (const std::uint32_t node : broadcast_.take_unflushed())
        sessions_[node].set_unwritten();
    for (session& s : sessions_)
        s.flush();
    forget_batch();
}

void quorum::forget_batch() noexcept { encoder_.batch().clear(); }

core::nanoseconds quorum::to_majority(core::nanoseconds (node::node::*trip)() const noexcept) const noexcept {
    std::array<core::nanoseconds, core::max_nodes> times{};
    const auto end = std::ranges::transform(sessions_, times.begin(), [trip](const session& s) {
                         return s.is_ready() ? (s.node().*trip)() : core::nanoseconds::max();
                     }).out;
    const auto last_needed = times.begin() + (core::majority(nodes()) - 1);
    std::nth_element(times.begin(), last_needed, end);
    return std::min(*last_needed, node_timeout_ / 8);
}

// It never falls: deadlines would overtake each other.
void quorum::learn_distance() noexcept {
    std::array<core::nanoseconds, core::max_nodes> known{};
    auto end = known.begin();
    for (const session& s : sessions_)
        if (s.node().least_round_trip() > core::nanoseconds(0)) *end++ = s.node().least_round_trip();
    if (end == known.begin()) return;
    const auto needed = std::min<std::ptrdiff_t>(core::majority(nodes()), end - known.begin());
    const auto farthest = known.begin() + (needed - 1);
    std::nth_element(known.begin(), farthest, end);
    node_timeout_ = std::max(node_timeout_, core::command_time(settings_.node_timeout, *farthest));
    window_.set_time(node_timeout_);
}

bool quorum::majority_tells() const noexcept {
    const auto telling = std::ranges::count_if(sessions_, [](const session& s) { return s.tells(); });
    return static_cast<unsigned>(telling) >= core::majority(nodes());
}

bool quorum::majority_has_events() const noexcept {
    const auto telling = std::ranges::count_if(
        sessions_, [](const session& s) { return s.wakeup() == wakeup::keyspace_events; });
    return static_cast<unsigned>(telling) >= core::majority(nodes());
}

std::optional<std::uint32_t> quorum::arbiter_of(std::string_view key, core::node_set among) const noexcept {
    std::optional<std::uint32_t> found;
    std::uint64_t highest = 0;
    for (const std::uint32_t node : among) {
        const std::uint64_t rank = core::arbitration_rank(key, sessions_[node].identity());
        if (found && rank < highest) continue;
        found = node;
        highest = rank;
    }
    return found;
}

// A node that is not there answers no sooner when it is asked less.
void quorum::learn(core::verdict decided, time::instant sent) noexcept {
    if (decided != core::verdict::unreachable) return window_.answered(sent, now());
    const auto connected =
        std::ranges::count_if(sessions_, [](const session& s) { return s.is_connected(); });
    if (static_cast<unsigned>(connected) >= core::majority(nodes())) return window_.unanswered(sent, now());
    window_.not_reached();
}

void quorum::owe(std::uint32_t node, debt d) { debts_[node].add(std::move(d), now()); }

std::string_view quorum::same_server(std::uint32_t node, const node::server_info& server) const noexcept {
    if (server.run_id.empty()) return {};
    for (std::uint32_t other = 0; other < nodes(); ++other) {
        const node::node& n = sessions_[other].node();
        if (other != node && n.has_server(server.run_id)) return n.name();
    }
    return {};
}

void quorum::on_node_ready(std::uint32_t node, bool new_connection) noexcept {
    session& s = sessions_[node];
    if (new_connection) {
        s.reconnected();
        fences_.forget_all();
        learn_distance();
    }
    if (s.listens_apart() && settings_.wakeup != wakeup::timed) start_ear_(node);
    newly_ready_.add(node);
    for (debt& d : debts_[node].take(new_connection, now()))
        release::start(*this, std::move(d.owed), core::node_set::just(node), d.until);
    redlock::observer* const o = observer();
    if (!o) return;
    o->node_changed(s.node().name(), true, {});
    if (new_connection && may_evict_locks(s.node().server())) {
        const std::string text = fmt::format("{} may evict locks: maxmemory-policy is {}", s.node().name(),
                                             s.node().server().eviction_policy);
        o->node_warned(s.node().name(), text);
    }
}

// Whether what is held is still held by a majority shows with the renewal, which repairs the node as well
// where that votes again.
void quorum::on_node_moved(std::uint32_t) noexcept {
    if (keys_in_doubt_) keys_in_doubt_();
}

void quorum::on_node_down(std::uint32_t node) noexcept {
    watches_->node_down(node);
    if (redlock::observer* o = observer()) {
        const node::status status = sessions_[node].node().report();
        o->node_changed(sessions_[node].node().name(), false, status.last_error_text);
    }
}

void quorum::on_push(std::uint32_t node, const resp::reply& message) noexcept {
    hands_->take_push(node, message);
    watches_->take_push(node, message);
}

void quorum::ear_events::on_node_ready(std::uint32_t node, bool) noexcept {
    owner_.watches_->ear_ready(node);
    owner_.hands_->ear_changed(node, true);
}

void quorum::ear_events::on_node_down(std::uint32_t node) noexcept {
    owner_.watches_->ear_down(node);
    owner_.hands_->ear_changed(node, false);
}

void quorum::ear_events::on_push(std::uint32_t node, const resp::reply& message) noexcept {
    owner_.hands_->take_push(node, message);
    owner_.watches_->take_push(node, message);
}

void quorum::abandon() noexcept {
    proposals_.clear();
    pending_releases_.clear();
    pending_renewals_.clear();
    pending_reads_.clear();
    pending_advances_.clear();
    while (!joint_releases_.empty())
        delete &joint_releases_.front();
    while (!joint_renewals_.empty())
        delete &joint_renewals_.front();
    while (!joint_reads_.empty())
        delete &joint_reads_.front();
    while (!joint_advances_.empty())
        delete &joint_advances_.front();
    while (!releases_.empty())
        delete &releases_.front();
    while (!contests_under_way_.empty())
        delete &contests_under_way_.front();
    while (!drains_under_way_.empty())
        delete &drains_under_way_.front();
    // Some rounds of contests have joined the stragglers.
    while (!stragglers_.empty())
        stragglers_.front().gone();
    while (!stands_.empty())
        delete &stands_.front();
    while (!watched_.empty())
        delete &watched_.front();
    while (!listener_counts_.empty())
        delete &listener_counts_.front();
    while (!questions_.empty())
        delete &questions_.front();
}

} // namespace redlock::redis
