// Shows that the simulation can fail: plants one mistake after the other in the library, and counts how many
// seeds it takes until an invariant is broken.

#include "core/mistake.hpp"
#include "sim/run_options.hpp"
#include "sim/runs.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string_view>

namespace {

using namespace redlock::sim;
using redlock::core::mistake;

struct entry {
    mistake planted;
    std::string_view name;
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
    {mistake::old_token_counts, "a token of an earlier round counts"},
};

bool is_found(const entry& planted, const std::vector<std::uint64_t>& seeds, unsigned jobs) {
    redlock::core::planted_mistake = planted.planted;
    std::uint64_t tried = 0;
    bool found = false;
    run_all(seeds, jobs, [&](std::uint64_t seed, const outcome& out) {
        ++tried;
        found = !out.breaches.empty();
        if (found)
            fmt::print("{}: found by seed {}, after {} seeds: {}\n", planted.name, seed, tried,
                       out.breaches.front());
        return !found;
    });
    redlock::core::planted_mistake = mistake::none;
    if (!found) fmt::print("{}: NOT FOUND in {} seeds\n", planted.name, tried);
    std::fflush(stdout);
    return found;
}

} // namespace

int main(int argc, char** argv) try {
    const run_options o(argc, argv);
    std::vector<std::uint64_t> seeds(o.count);
    std::iota(seeds.begin(), seeds.end(), o.first);
    bool all_found = true;
    for (const entry& e : entries)
        if (o.mistake.empty() || o.mistake == e.name) all_found = is_found(e, seeds, o.jobs) && all_found;
    return all_found ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
    fmt::print(stderr, "redlock_sim_mistakes: {}\n", e.what());
    return 2;
}
