// What a cluster is good for at the moment, by its servers, and what it says of itself.

#include "engines/redis/node/cluster/cluster_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::node {

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

bool cluster_node::has_server(std::string_view run_id) const noexcept {
    return std::ranges::any_of(members_, [&](const auto& m) { return m->server().has_server(run_id); });
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

} // namespace redlock::node
