#include "sim/checker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace redlock::sim {

namespace {

// Between the end of a validity and the request to stop, for a process that runs: what rounding may cost.
constexpr nanoseconds instantly = std::chrono::microseconds(10);

} // namespace

void checker::breach(std::string what) {
    trace_("BREACH {}", what);
    breaches_.push_back(std::move(what));
}

checker::state& checker::of(operation op) {
    const auto found = running_.find(op);
    if (found != running_.end()) return found->second;
    breach(fmt::format("I6: something was told of operation {}, which has ended", op));
    static thread_local state nobody;
    return nobody = {};
}

checker::operation checker::began(std::uint32_t client, const std::string& key) {
    running_[next_] = {.client = client, .key = key};
    return next_++;
}

void checker::granted(operation op, lease_view lease) {
    state& s = of(op);
    if (s.phase != phase::waiting)
        breach(fmt::format("I6: operation {} was granted after it had its outcome", op));
    s.phase = phase::holding;
    s.lease = std::move(lease);
    ++grants_;
    look_at_kept(op, s.key);
}

void checker::fenced(operation op, std::uint64_t token, nanoseconds began) {
    if (!promises_.fencing) return;
    const state& s = of(op);
    fences& all = fences_[s.lease.name];
    const auto [at, is_new] = all.tokens.try_emplace(token, s.lease.owner);
    // The leases of an owner have the token of the one grant.
    if (!is_new && s.lease.owner != 0 && at->second == s.lease.owner) return;
    if (token == 0 || began < nanoseconds(0))
        breach(fmt::format("I2: operation {} has no fencing token, or did not ask for it", op));
    if (!is_new) breach(fmt::format("I2: two grants of {} have the fencing token {}", s.lease.name, token));
    // Of those that were complete before this one began.
    const auto after = std::ranges::lower_bound(all.grants, began, {}, &fenced_grant::completed);
    if (after != all.grants.begin() && std::prev(after)->highest >= token)
        breach(fmt::format(
            "I2: operation {} has the fencing token {}, which is not above {} of an earlier grant of {}", op,
            token, std::prev(after)->highest, s.lease.name));
    all.grants.push_back({events_.now(), all.tokens.rbegin()->first});
}

void checker::not_granted(operation op, const std::string& why) {
    state& s = of(op);
    if (s.phase != phase::waiting)
        breach(fmt::format("I6: operation {} failed ({}) after it had its outcome", op, why));
    s.phase = phase::refused;
}

void checker::acquire_over(operation op) {
    state& s = of(op);
    if (s.phase == phase::waiting || s.over)
        breach(fmt::format("I6: operation {} is over without an outcome, or twice", op));
    s.over = true;
    forget_if_ended(op);
}

void checker::gave_back(operation op) {
    of(op).given_back = true;
    forget_if_ended(op);
}

void checker::answered(operation op) {
    state& s = of(op);
    if (--s.unanswered < 0) breach(fmt::format("I6: a call of operation {} was answered twice", op));
    forget_if_ended(op);
}

void checker::forget_if_ended(operation op) {
    const auto found = running_.find(op);
    if (found == running_.end()) return;
    const state& s = found->second;
    busy_at_[{s.client, s.key}] = events_.now();
    if (s.over && s.unanswered == 0 && (s.phase == phase::refused || s.given_back)) running_.erase(found);
}

void checker::died(std::uint32_t client) {
    std::erase_if(running_, [&](const auto& one) { return one.second.client == client; });
}

void checker::look() {
    for (auto& [op, s] : running_) {
        if (!is_held(s)) continue;
        s.is_valid = s.lease.valid();
        look_at(op, s);
        if (s.is_valid || s.lease.owner != 0) look_for_others(op, s);
    }
}

void checker::look_at(operation op, state& s) {
    if (s.is_valid || s.lease.stop_requested() || !s.lease.attentive()) {
        s.unstopped_since.reset();
        return;
    }
    if (!s.unstopped_since) s.unstopped_since = events_.now();
    if (events_.now() - *s.unstopped_since <= instantly) return;
    breach(fmt::format("I3: the lease of operation {} is over, and its holder was not told to stop", op));
    s.unstopped_since = nanoseconds::max() / 2;
}

void checker::expect_rest(std::uint32_t client) {
    for (const auto& [op, s] : running_)
        if (s.client == client && (!s.over || s.unanswered > 0))
            breach(fmt::format("I6: operation {} of client {} at {} has not ended", op, client, s.key));
}

std::vector<checker::renewed_lease> checker::renewing() const {
    std::vector<renewed_lease> all;
    for (const auto& [op, s] : running_)
        if (s.phase == phase::holding && !s.given_back && s.lease.renews)
            all.push_back({op, s.client, s.lease.name, &s.lease});
    return all;
}

bool checker::is_busy_with(std::uint32_t client, const std::string& key) const {
    for (const auto& [op, s] : running_)
        if (s.client == client && s.key == key) return true;
    return false;
}

bool checker::waits_for(std::uint32_t client, const std::string& key) const {
    bool waits = false;
    for (const auto& [op, s] : running_) {
        if (s.client != client || s.key != key) continue;
        if (s.phase == phase::holding) return false;
        waits = waits || s.phase == phase::waiting;
    }
    return waits;
}

nanoseconds checker::last_busy_with(std::uint32_t client, const std::string& key) const {
    const auto found = busy_at_.find({client, key});
    return found == busy_at_.end() ? nanoseconds(0) : found->second;
}

} // namespace redlock::sim
