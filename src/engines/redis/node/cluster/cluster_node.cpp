// How a cluster's node knows where the slots are.

#include "engines/redis/node/cluster/cluster_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::node {
namespace {

constexpr std::chrono::milliseconds interval{1000};
constexpr std::chrono::milliseconds interval_while_down{100};
constexpr std::chrono::seconds life_of_a_word{3};
constexpr std::size_t most_members = slot_council::most_members + 15;

node_settings for_members(node_settings each) {
    each.belief_in_owner = life_of_a_word;
    return each;
}

} // namespace

cluster_node::cluster_node(redis_node::strand on, const address& cluster, std::uint32_t index,
                           node_settings each, node_listener& listener, const time::time_source& time,
                           std::uint64_t seed, io_source& over)
    : strand_(std::move(on)),
      cluster_(cluster),
      name_(cluster.name()),
      index_(index),
      each_(for_members(std::move(each))),
      listener_(listener),
      time_(time),
      seeds_(seed),
      io_(over),
      council_(life_of_a_word),
      held_(each_.request_limit, each_.output_limit),
      timer_(io_.make_timer(strand_)) {
    server_.mode = "cluster";
    for (const endpoint& at : cluster_.members)
        meet(at);
}

cluster_node::~cluster_node() {
    stopped_ = true;
    held_.clear();
}

cluster_member& cluster_node::meet(const endpoint& at) {
    member_listener& own = *this;
    auto made =
        std::make_unique<cluster_member>(strand_, cluster_, at, each_, own, listener_, time_, seeds_(), io_);
    return *members_.emplace_back(std::move(made));
}

void cluster_node::start() {
    if (stopped_) return;
    const auto now = time_.now();
    give_up_at_ = now + std::max<std::chrono::nanoseconds>(interval, each_.node_timeout);
    ask_at_ = now + interval;
    for (const auto& m : members_)
        m->server().start();
    arm();
}

void cluster_node::ask_all() {
    const bool is_down =
        std::ranges::any_of(members_, [](const auto& m) { return m->is_connected() && !m->serves(); });
    ask_at_ = time_.now() + (is_down ? interval_while_down : interval);
    for (const auto& m : members_)
        m->ask();
}

void cluster_node::arm() {
    if (stopped_) return;
    const auto now = time_.now();
    const auto at = std::min({ask_at_, believed_until_, held_.next_deadline(), give_up_at_, guard_ends_});
    if (at >= timer_->armed_for() && timer_->armed_for() > now) return;
    timer_->arm(at, now, [this, alive = std::weak_ptr(alive_)](const boost::system::error_code& ec) {
        if (ec || alive.expired() || stopped_) return;
        timer_->fired();
        listener_.on_turn_begin();
        wake();
        if (stopped_) return;
        listener_.on_turn_end();
        arm();
    });
}

void cluster_node::wake() {
    const auto now = time_.now();
    std::erase_if(retired_, [](const auto& m) { return m->server().idle(); });
    timeouts_ += held_.expire(now);
    if (stopped_) return;
    if (give_up_at_ <= now) {
        give_up_at_ = time::instant::max();
        reconsider();
    }
    if (!stopped_ && guard_ends_ <= now) {
        guard_ends_ = time::instant::max();
        std::erase_if(guarded_, [&](const auto& one) { return one.second <= now; });
        listener_.on_node_moved(index_);
    }
    if (stopped_) return;
    if (ask_at_ <= now) ask_all();
    decide();
    if (!stopped_) retire_idle();
}

void cluster_node::look() {
    if (!stopped_ && time_.now() >= believed_until_) decide();
}

void cluster_node::slots_told(std::string_view id, slot_view view, time::instant asked) {
    if (stopped_) return;
    if (map_.empty()) meet_all(view);
    council_.said(id, std::move(view), asked);
    decide();
}

// Whoever is named may be one of those whose word is wanted.
void cluster_node::meet_all(const slot_view& view) {
    for (const slot_range& range : view)
        if (!member_at(range.owner) && members_.size() < most_members) meet(range.owner).server().start();
}

void cluster_node::decide() {
    if (stopped_) return;
    const auto now = time_.now();
    slot_map found = council_.agreed(now);
    believed_until_ = council_.next_change(now);
    if (!(found == map_)) adopt(std::move(found), now);
    reconsider();
    arm();
}

void cluster_node::adopt(slot_map found, time::instant now) {
    const bool moved = guard_what_moved(found, now);
    map_ = std::move(found);
    connect_to_owners();
    is_new_ = is_new_ || moved;
    if (moved && !stopped_) listener_.on_node_moved(index_);
}

// Keys move along with their slot, unless somebody has moved it by force, or it went to a replica that lacks
// what its master had done last.
bool cluster_node::guard_what_moved(const slot_map& found, time::instant now) {
    bool moved = false;
    slot_map known;
    for (unsigned at = 0; at < hash_slots; ++at) {
        const auto slot = static_cast<std::uint16_t>(at);
        const std::size_t before = last_known_.owner_of(slot);
        const std::size_t after = found.owner_of(slot);
        if (after == slot_map::nobody) {
            if (before != slot_map::nobody) known.set(slot, last_known_.servers()[before]);
            continue;
        }
        known.set(slot, found.servers()[after]);
        if (before == slot_map::nobody || last_known_.servers()[before] == found.servers()[after]) continue;
        moved = true;
        if (each_.restart_guard > each_.restart_guard.zero())
            guard_ends_ = guarded_[slot] = now + each_.restart_guard + council_.life();
    }
    last_known_ = std::move(known);
    return moved;
}

// One that was a replica when it was connected to has been promoted since, and is asked anew who it is.
void cluster_node::connect_to_owners() {
    for (const endpoint& at : map_.servers()) {
        const auto known = std::ranges::find_if(members_, [&](const auto& m) { return m->at() == at; });
        if (known != members_.end()) {
            if (!(*known)->was_replica()) continue;
            let_go(known);
        }
        if (stopped_ || members_.size() >= most_members) return;
        meet(at).server().start();
    }
}

// What a server that has no slots any more was sent is answered, or fails, before it is let go.
void cluster_node::retire_idle() {
    for (std::size_t i = 0; i < members_.size();) {
        const cluster_member& m = *members_[i];
        const bool has_slots = std::ranges::find(map_.servers(), m.at()) != map_.servers().end();
        const bool is_named = std::ranges::find(cluster_.members, m.at()) != cluster_.members.end();
        if (has_slots || is_named || m.errands > 0 || map_.empty()) {
            ++i;
            continue;
        }
        let_go(members_.begin() + static_cast<std::ptrdiff_t>(i));
        is_new_ = true; // what it was told last may not have been done
    }
    if (is_new_) reconsider();
}

// It may be the one that tells of this: it is destroyed later.
void cluster_node::let_go(std::vector<std::unique_ptr<cluster_member>>::iterator of) {
    retired_.push_back(std::move(*of));
    members_.erase(of);
    cluster_member& gone = *retired_.back();
    gone.server().stop();
    for (auto& [slot, course] : courses_)
        if (course.at == &gone) course.at = nullptr;
}

cluster_member* cluster_node::member_at(const endpoint& at) const noexcept {
    const auto found = std::ranges::find_if(members_, [&](const auto& m) { return m->at() == at; });
    return found == members_.end() ? nullptr : found->get();
}

health cluster_node::judge() const noexcept {
    const bool may_wait = give_up_at_ != time::instant::max();
    if (map_.empty()) return may_wait ? health::connecting : health::unavailable;
    bool suspect = false;
    bool votes = false;
    for (const endpoint& at : map_.servers()) {
        const cluster_member* const m = member_at(at);
        if (!m || !m->serves()) return may_wait ? health::connecting : health::unavailable;
        suspect = suspect || m->server().state() == health::suspect;
        votes = votes || m->server().state() == health::ready;
    }
    if (suspect) return health::suspect;
    return votes ? health::ready : health::quarantined;
}

void cluster_node::reconsider() noexcept {
    const health now = judge();
    const health before = std::exchange(state_, now);
    if (now == health::ready) give_up_at_ = time::instant::max();
    quarantines_ += now == health::quarantined && before != now;
    if (now != health::ready) {
        if (now != health::connecting) {
            problem_ = problem();
            last_error_ = now == health::suspect       ? errc::node_timeout
                          : now == health::quarantined ? errc::node_quarantined
                                                       : cause();
        }
        if (std::exchange(serves_, false) || (now == health::quarantined && before != now))
            listener_.on_node_down(index_);
    } else if (is_new_ || !serves_) {
        take_over_facts();
        if (std::exchange(serves_, false)) listener_.on_node_down(index_);
        if (stopped_) return;
        serves_ = true;
        listener_.on_node_ready(index_, std::exchange(is_new_, false));
    }
    if (!stopped_ && !map_.empty()) serve_held();
    if (!stopped_ && now == health::unavailable) held_.fail_all(last_error_);
}

// Who it is has to be the same for all clients, whatever server they know.
void cluster_node::take_over_facts() {
    const cluster_member* lowest = nullptr;
    for (const endpoint& at : map_.servers()) {
        const cluster_member* const m = member_at(at);
        if (!lowest || m->server().server().run_id < lowest->server().server().run_id) lowest = m;
    }
    server_ = lowest->server().server();
    server_.mode = "cluster";
}

std::string cluster_node::problem() const {
    const auto now = time_.now();
    constexpr std::size_t most_reasons = 3;
    std::string text;
    if (map_.empty())
        text = fmt::format("does not know who has its slots: {} of its masters say so, and {} are needed",
                           council_.speaking(now), council_.needed(now));
    std::size_t reasons = 0;
    for (const auto& m : members_) {
        const bool matters =
            map_.empty() || std::ranges::find(map_.servers(), m->at()) != map_.servers().end();
        const std::string why = matters ? m->problem() : std::string();
        if (why.empty() || ++reasons > most_reasons) continue;
        text += fmt::format("{} {}", text.empty() ? "waits for a server:" : reasons == 1 ? ":" : ";", why);
    }
    return text;
}

// What is the same with all of its servers, a wrong password for one, is told as it is.
errc cluster_node::cause() const {
    errc why{};
    for (const auto& m : members_) {
        const errc one = m->failure();
        if (why != errc{} && one != why) return errc::node_unavailable;
        why = one;
    }
    return why == errc{} ? errc::node_unavailable : why;
}

void cluster_node::member_ready(cluster_member& m, bool new_connection) noexcept {
    if (stopped_) return;
    is_new_ = is_new_ || new_connection;
    m.ask();
    reconsider();
}

void cluster_node::member_down(cluster_member& m) noexcept {
    if (stopped_) return;
    m.ask(); // for it may be connected, and only not vote
    reconsider();
}

template <class Of>
std::chrono::nanoseconds cluster_node::farthest(Of trip) const noexcept {
    std::chrono::nanoseconds longest{0};
    for (const auto& m : members_)
        longest = std::max(longest, trip(m->server()));
    return longest;
}

std::chrono::nanoseconds cluster_node::round_trip() const noexcept {
    return farthest([](const redis_node& n) { return n.round_trip(); });
}
std::chrono::nanoseconds cluster_node::usual_round_trip() const noexcept {
    return farthest([](const redis_node& n) { return n.usual_round_trip(); });
}
std::chrono::nanoseconds cluster_node::least_round_trip() const noexcept {
    return farthest([](const redis_node& n) { return n.least_round_trip(); });
}

status cluster_node::report() const {
    status all;
    all.state = state_;
    all.last_error = last_error_;
    all.quarantines = quarantines_;
    if (last_error_ != errc{}) all.last_error_text = fmt::format("{} {}", name_, problem_);
    all.timeouts = timeouts_;
    for (const auto& m : members_) {
        const status one = m->server().report();
        all.commands += one.commands;
        all.timeouts += one.timeouts;
        all.connects += one.connects;
        all.disconnects += one.disconnects;
        all.quarantines += one.quarantines;
        all.round_trips.add(one.round_trips);
    }
    all.round_trip = round_trip();
    return all;
}

bool cluster_node::reveals_secret(std::string_view text) const noexcept {
    return std::ranges::any_of(members_, [&](const auto& m) { return m->server().reveals_secret(text); });
}

void cluster_node::stop(std::function<void()> ended) {
    if (!std::exchange(stopped_, true)) {
        timer_->cancel();
        state_ = health::unavailable;
        held_.fail_all(errc::closed);
    }
    for (auto& gone : retired_)
        members_.push_back(std::move(gone));
    retired_.clear();
    const auto outstanding = std::make_shared<std::size_t>(members_.size());
    for (const auto& m : members_)
        m->server().stop([outstanding, ended] {
            if (--*outstanding == 0 && ended) ended();
        });
}

void cluster_node::leave() noexcept {
    for (const auto* all : {&members_, &retired_})
        for (const auto& m : *all)
            m->server().leave();
}

} // namespace redlock::node
