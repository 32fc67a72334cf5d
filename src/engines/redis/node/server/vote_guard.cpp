#include "engines/redis/node/server/vote_guard.hpp"

#include "core/mistake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::node {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::int64_t whole_milliseconds(nanoseconds d) noexcept { return std::chrono::ceil<milliseconds>(d).count(); }

} // namespace

void vote_guard::connected(const server_info& server, time::instant now) {
    if (!on() || planted(core::mistake::restarted_node_votes)) return;
    if (server.uptime < std::chrono::seconds::zero())
        return keep_out(now + largest_ttl_,
                        fmt::format("does not tell how long it has been running, and stays out for "
                                    "restart_guard ({} ms) after each connect",
                                    whole_milliseconds(largest_ttl_)));
    // The difference of two times of day without their fractions: it may have begun nearly a second later.
    const nanoseconds least = std::max(server.uptime - std::chrono::seconds(1), std::chrono::seconds(0));
    if (least < largest_ttl_)
        keep_out(now + (largest_ttl_ - least),
                 fmt::format("was started {} s ago, and stays out until that is restart_guard ({} ms)",
                             server.uptime.count(), whole_milliseconds(largest_ttl_)));
}

void vote_guard::leads_group(std::string_view replication_id, time::instant since, nanoseconds belief) {
    if (!on() || planted(core::mistake::promoted_node_votes)) return;
    const bool known = !replication_id.empty() && replication_id == replication_id_;
    replication_id_ = replication_id;
    if (known) return;
    has_reading_ = false; // of another server's clock
    keep_out(since + largest_ttl_ + belief,
             fmt::format("has a new master, and stays out for restart_guard ({} ms) and {} ms more",
                         whole_milliseconds(largest_ttl_), whole_milliseconds(belief)));
}

void vote_guard::serves_slots(std::string_view replication_id, bool was_promoted, time::instant now,
                              nanoseconds belief) {
    if (planted(core::mistake::promoted_server_votes)) return;
    if (!was_promoted && replication_id_.empty())
        replication_id_ = replication_id;
    else
        leads_group(replication_id, now, belief);
}

bool vote_guard::read_clock(std::chrono::microseconds server_time, time::instant sent,
                            time::instant received) {
    if (!on()) return false;
    // One tick is what the server cuts off.
    const nanoseconds most = server_time + std::chrono::microseconds(1) - sent.time_since_epoch();
    const nanoseconds least = server_time - received.time_since_epoch();
    const nanoseconds allowed = drift_.of(received - read_at_);
    const nanoseconds jump = std::max(least - most_ahead_, least_ahead_ - most);
    const bool jumped = has_reading_ && jump > allowed;
    if (jumped)
        keep_out(
            received + largest_ttl_,
            fmt::format("has a clock that jumped by {} ms or more, and stays out for restart_guard ({} ms)",
                        std::chrono::floor<milliseconds>(jump).count(), whole_milliseconds(largest_ttl_)));
    has_reading_ = true;
    read_at_ = sent;
    least_ahead_ = least;
    most_ahead_ = most;
    return jumped;
}

void vote_guard::keep_out(time::instant until, std::string reason) {
    if (until <= votes_from_) return;
    votes_from_ = until;
    reason_ = std::move(reason);
}

} // namespace redlock::node
