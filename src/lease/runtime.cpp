#include "lease/runtime.hpp"

#include "engines/redis/quorum/detachable_round.hpp"
#include "engines/redis/quorum/release.hpp"
#include "engines/redis/watch/key_watch.hpp"
#include "engines/redis/watch/listener_count.hpp"
#include "engines/redis/watch/watches.hpp"
#include "lease/acquire.hpp"
#include "lease/held_lease.hpp"

#include <redlock/observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <utility>

namespace redlock::lock {

runtime::runtime(lock::settings s, const time::time_source& clock, std::uint64_t seed,
                 turn_listener& listener, inbox_waker& waker)
    : settings_(std::move(s)),
      clock_(clock),
      listener_(listener),
      inbox_(waker),
      now_(clock.now()),
      random_(seed),
      fences_(settings_.fence_retention),
      proposals_(*this, seed >> 8),
      queues_(settings_.handoff_limit),
      watches_(std::make_unique<watches>(*this)),
      window_(settings_.max_inflight, settings_.node_timeout) {}

runtime::~runtime() { abandon(); }

void runtime::set_nodes(const std::vector<node::node*>& nodes, const std::vector<node::node*>& ears,
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

void runtime::take_calls() {
    inbox_.take([](inbox_item& item) { item.arrive(); });
}

void runtime::end_turn() {
    // Behind the requests that waited for the connection: those are somebody's who waits.
    for (std::uint64_t left = std::exchange(newly_ready_, 0); left != 0; left &= left - 1)
        watches_->node_ready(static_cast<std::uint32_t>(std::countr_zero(left)));
    take_calls();
    ready_.run();
    // The turn of the alarm may come behind much else that waits for the executor, and a holder who gets its
    // turn before has to know. After the routines, for a reply that was just read may save what is overdue.
    timers_.fire(now());
    ready_.run();
    broadcast_.hand_out();
    if (!has_unwritten()) forget_batch();
    listener_.turn_ended(timers_.next());
}

bool runtime::has_unwritten() const noexcept {
    return !proposals_.empty() || broadcast_.has_unflushed() ||
           std::ranges::any_of(sessions_, [](const session& s) { return s.has_unwritten(); });
}

bool runtime::works_for_several() const noexcept {
    // The lists do not know their lengths.
    const auto several = [](const auto& all) { return !all.empty() && std::next(all.begin()) != all.end(); };
    return window_.inside() > 1 || several(leases_) || several(releases_);
}

void runtime::flush() noexcept {
    proposals_.send();
    broadcast_.hand_out();
    for (std::uint64_t left = broadcast_.take_unflushed(); left != 0; left &= left - 1)
        sessions_[static_cast<std::size_t>(std::countr_zero(left))].set_unwritten();
    for (session& s : sessions_)
        s.flush();
    forget_batch();
}

void runtime::forget_batch() noexcept {
    bytes_.begin();
    batch_.clear();
}

core::nanoseconds runtime::to_majority(core::nanoseconds (node::node::*trip)()
                                           const noexcept) const noexcept {
    std::array<core::nanoseconds, core::max_nodes> times{};
    const auto end = std::ranges::transform(sessions_, times.begin(), [trip](const session& s) {
                         return s.is_ready() ? (s.node().*trip)() : core::nanoseconds::max();
                     }).out;
    const auto last_needed = times.begin() + (core::majority(nodes()) - 1);
    std::nth_element(times.begin(), last_needed, end);
    return std::min(*last_needed, settings_.node_timeout / 8);
}

bool runtime::majority_tells() const noexcept {
    const auto telling = std::ranges::count_if(sessions_, [](const session& s) { return s.tells(); });
    return static_cast<unsigned>(telling) >= core::majority(nodes());
}

// A node that is not there answers no sooner when it is asked less.
void runtime::learn(core::verdict decided, time::instant sent) noexcept {
    if (decided != core::verdict::unreachable) return window_.answered(sent, now());
    const auto connected =
        std::ranges::count_if(sessions_, [](const session& s) { return s.is_connected(); });
    if (static_cast<unsigned>(connected) >= core::majority(nodes())) window_.unanswered(sent, now());
}

void runtime::begin_closing() {
    closing_ = true;
    for (acquire& a : acquires_)
        a.close();
    // Closing a lease takes it out of the list, sooner or later.
    std::vector<detail::lease_pointer> all;
    for (const lease_upkeep& l : leases_)
        all.emplace_back(&l.lease());
    for (const auto& l : all)
        l->close();
}

bool runtime::quiet() const noexcept { return acquires_.empty() && leases_.empty() && releases_.empty(); }

void runtime::owe(std::uint32_t node, debt d) { debts_[node].add(std::move(d), now()); }

std::string_view runtime::same_server(std::uint32_t node, const node::server_info& server) const noexcept {
    if (server.run_id.empty()) return {};
    for (std::uint32_t other = 0; other < nodes(); ++other) {
        const node::node& n = sessions_[other].node();
        const bool connected =
            n.state() != node::health::unavailable && n.state() != node::health::connecting;
        if (other != node && connected && n.server().run_id == server.run_id) return n.name();
    }
    return {};
}

void runtime::on_node_ready(std::uint32_t node, bool new_connection) noexcept {
    session& s = sessions_[node];
    if (new_connection) {
        s.reconnected();
        fences_.forget_all();
    }
    if (s.listens_apart() && settings_.wakeup != wakeup::timed) start_ear_(node);
    newly_ready_ |= std::uint64_t{1} << node;
    for (debt& d : debts_[node].take(new_connection, now()))
        release::start(*this, std::move(d.owed), std::uint64_t{1} << node, d.until);
    redlock::observer* const o = observer();
    if (!o) return;
    o->node_changed(s.node().name(), true, {});
    if (new_connection && may_evict_locks(s.node().server())) {
        const std::string text = fmt::format("{} may evict locks: maxmemory-policy is {}", s.node().name(),
                                             s.node().server().eviction_policy);
        o->node_warned(s.node().name(), text);
    }
}

void runtime::on_node_down(std::uint32_t node) noexcept {
    watches_->node_down(node);
    if (redlock::observer* o = observer()) {
        const node::status status = sessions_[node].node().report();
        o->node_changed(sessions_[node].node().name(), false, status.last_error_text);
    }
}

void runtime::on_push(std::uint32_t node, const resp::reply& message) noexcept {
    watches_->take_push(node, message);
}

void runtime::ear_events::on_node_ready(std::uint32_t node, bool) noexcept {
    owner_.watches_->ear_ready(node);
}

void runtime::ear_events::on_node_down(std::uint32_t node) noexcept { owner_.watches_->ear_down(node); }

void runtime::ear_events::on_push(std::uint32_t node, const resp::reply& message) noexcept {
    owner_.watches_->take_push(node, message);
}

void runtime::abandon() noexcept {
    closing_ = true;
    inbox_.shut();
    proposals_.clear();
    while (!leases_.empty())
        leases_.front().abandon();
    while (!releases_.empty())
        delete &releases_.front();
    while (!stragglers_.empty())
        delete &stragglers_.front();
    // A handler that was posted on behalf of its call may keep an acquire for a while.
    for (acquire& a : acquires_)
        a.forget_watch();
    while (!watched_.empty())
        delete &watched_.front();
    while (!listener_counts_.empty())
        delete &listener_counts_.front();
}

} // namespace redlock::lock
