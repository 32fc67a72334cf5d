// Shows that the simulation can fail: plants one mistake after the other in the library, and counts the
// worlds in which an invariant is broken. One in a hundred is the least: a mistake that hides better has many
// like it that hide for good. Which worlds are drawn is chance, and any change to the library deals anew: so
// two standard deviations fewer than that will do here.

#include "core/mistake.hpp"
#include "sim/run_options.hpp"
#include "sim/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>
#include <string_view>

namespace {

using namespace redlock::sim;
using redlock::core::mistake;

struct entry {
    mistake planted;
    std::string_view name;
    bool is_rare = false; ///< it takes weather that few worlds have: once is enough
};
constexpr entry entries[] = {
    {mistake::validity_from_reply, "validity from the reply on"},
    {mistake::late_success_kept, "a late success is not released"},
    {mistake::repaired_keys_vote, "repaired keys vote at once"},
    {mistake::first_event_wakes, "the first event wakes, and no timer"},
    {mistake::delete_without_compare, "a release does not compare"},
    {mistake::renewal_after_unlock, "a renewal goes on after the unlock"},
    {mistake::no_write_back, "fencing without write-back"},
    {mistake::higher_fence_agrees, "a fence above the token agrees"},
    {mistake::restarted_node_votes, "a restarted node votes at once"},
    {mistake::promoted_node_votes, "a promoted replica votes at once"},
    {mistake::old_master_believed, "what one Sentinel said counts for ever", true},
    {mistake::old_token_counts, "a token of an earlier round counts"},
    {mistake::handed_from_receipt, "a hand-over counts from when it is heard", true},
    {mistake::no_yield, "nobody gives way in the queues"},
};

std::uint64_t fewest(std::size_t worlds) {
    const double hundredth = static_cast<double>(worlds) / 100;
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(hundredth - 2 * std::sqrt(hundredth))));
}

// Of all worlds where the share is wanted, else until it is sure to be large enough.
bool falls_often(const entry& planted, const std::vector<std::uint64_t>& seeds, const run_options& o) {
    redlock::core::planted_mistake = planted.planted;
    const std::uint64_t needed = planted.is_rare ? 1 : fewest(seeds.size());
    std::uint64_t tried = 0;
    std::uint64_t found = 0;
    std::string first;
    run_all(seeds, o.jobs, [&](std::uint64_t seed, const outcome& out) {
        ++tried;
        if (!out.breaches.empty() && ++found == 1)
            first = fmt::format("seed {}: {}", seed, out.breaches.front());
        return o.shares || found < needed;
    });
    redlock::core::planted_mistake = mistake::none;
    fmt::print("{}: found in {} of {} worlds ({:.1f} %){}, first by {}\n", planted.name, found, tried,
               100.0 * static_cast<double>(found) / static_cast<double>(tried),
               found < needed ? fmt::format(", fewer than {}", needed) : "", found > 0 ? first : "none");
    std::fflush(stdout);
    return found >= needed;
}

} // namespace

int main(int argc, char** argv) try {
    const run_options o(argc, argv);
    std::vector<std::uint64_t> seeds(o.count);
    std::iota(seeds.begin(), seeds.end(), o.first);
    bool all_fall = true;
    for (const entry& e : entries)
        if (o.mistake.empty() || o.mistake == e.name) all_fall = falls_often(e, seeds, o) && all_fall;
    return all_fall ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
    fmt::print(stderr, "redlock_sim_mistakes: {}\n", e.what());
    return 2;
}
