#include "sim/renewal_watch.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::sim {

namespace {

// A renewal begins when two thirds of the ttl are left, give or take a tenth of one: none had begun then.
bool is_fresh(nanoseconds remaining, nanoseconds ttl) noexcept { return remaining >= ttl * 3 / 4; }

} // namespace

void renewal_watch::look() {
    std::map<checker::operation, backing> still;
    for (const auto& [operation, client, key, lease] : checker_.renewing()) {
        // Between two looks a third party may have taken the majority that was there.
        if (!inspector_.majority_calm_for(client) || inspector_.was_tampered_with(key)) continue;
        const auto before = backed_.find(operation);
        const bool lost = lease->stop_requested() || !lease->valid();
        if (lost && before != backed_.end() && must_have_been_renewed(before->second, *lease))
            checker_.breach(fmt::format(
                "the lease of operation {} (client {}) is lost, and a majority has had "
                "{} and been in reach for {} ms",
                operation, client, key, (events_.now() - before->second.since).count() / 1'000'000));
        if (lost || !inspector_.majority_calm_for(client, key, lease->token)) continue;
        still[operation] =
            before != backed_.end() ? before->second : backing{events_.now(), lease->remaining()};
    }
    backed_ = std::move(still);
}

// Either the first renewal since then was still to come, and had its majority. Or the validity of then has
// run out, so there was one since, and the next had its majority as well.
bool renewal_watch::must_have_been_renewed(const backing& b,
                                           const checker::lease_view& lease) const noexcept {
    const bool time_for_a_round = 8 * weather_.slowest_delivery() <= lease.ttl;
    if (!time_for_a_round || !weather_.clocks_are_bounded) return false;
    return is_fresh(b.remaining, lease.ttl) || events_.now() - b.since > b.remaining + b.remaining / 10;
}

} // namespace redlock::sim
