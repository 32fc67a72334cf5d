// Shows that the simulation can fail: plants one mistake after the other in the library, and looks for a
// world in which an invariant is broken, first for one in which it was. With --shares it counts them in all
// worlds. One in a hundred is the least: a mistake that hides better has many like it that hide for good.
// Which worlds are drawn is chance, and any change to the library deals anew: so two standard deviations
// fewer than that will do here. A mistake that is about one kind of lock is looked for where there are users
// of that.

#include "core/mistake.hpp"
#include "sim/run_options.hpp"
#include "sim/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace redlock::sim;
using redlock::core::mistake;

/// The worlds that are made for a mistake, where those that are drawn have too little of what it takes.
enum class worlds {
    drawn,
    broken_guards,  ///< what is planted is no mistake, but an assumption that does not hold
    clusters,       ///< of such alone, whose masters are replaced all the time
    groups,         ///< of such alone, behind Sentinels, likewise
    joint_fences,   ///< keys are handed on within a process, many at the same time
    stopped_clients ///< who are handed a key that all of them wait for
};

struct entry {
    mistake planted;
    std::string_view name;
    std::uint64_t shows_in; ///< a seed of a world in which it was found, which is looked at first
    std::optional<lock_kind> about{};
    worlds in = worlds::drawn;
};
constexpr entry entries[] = {
    {mistake::validity_from_reply, "validity from the reply on", 10},
    {mistake::late_success_kept, "a late success is not released", 2},
    {mistake::repaired_keys_vote, "repaired keys vote at once", 21},
    {mistake::first_event_wakes, "the first event wakes, and no timer", 2},
    {mistake::delete_without_compare, "a release does not compare", 8},
    {mistake::renewal_after_unlock, "a renewal goes on after the unlock", 1},
    {mistake::no_write_back, "fencing without write-back", 61},
    {mistake::higher_fence_agrees, "a fence above the token agrees", 11},
    {mistake::restarted_node_votes, "a restarted node votes at once", 115},
    {mistake::promoted_node_votes, "a promoted replica votes at once", 17},
    {mistake::old_master_believed, "what one Sentinel said counts for ever", 38, {}, worlds::groups},
    {mistake::old_token_counts, "a token of an earlier round counts", 167},
    {mistake::handed_from_receipt,
     "a hand-over counts from when it is heard",
     8,
     {},
     worlds::stopped_clients},
    {mistake::no_yield, "nobody gives way in the queues", 15},
    {mistake::moved_slot_votes, "a slot that has moved votes at once", 2, {}, worlds::clusters},
    {mistake::promoted_server_votes,
     "a promoted server of a cluster votes at once",
     47,
     {},
     worlds::clusters},
    {mistake::arbiter_grants, "the arbiter alone grants", 10},
    {mistake::no_drain, "a writer does not wait for readers", 2, lock_kind::read_write},
    {mistake::read_nodes_drained, "a node that is read counts as clear", 2, lock_kind::read_write},
    {mistake::readers_seen_first, "a writer looks before it takes the key", 2, lock_kind::read_write},
    {mistake::clear_look_extends_not, "the clear look does not extend", 13, lock_kind::read_write},
    {mistake::opponents_repaired, "a repair where an opponent is", 310, lock_kind::read_write},
    {mistake::highest_fence_read, "a reader takes the highest fence", 885, lock_kind::read_write},
    {mistake::permits_by_majority, "permits are counted by majority", 14, lock_kind::permits},
    {mistake::unordered_keys, "keys of a set are not put in order", 15, lock_kind::set},
    {mistake::entered_anew, "an owner takes a lost lock anew", 120, lock_kind::owned},
    {mistake::kept_key_released, "a key that is to be kept is released", 8, lock_kind::kept},
    {mistake::older_leader_told, "an observer is told of an older leader", 7, lock_kind::lead},
    {mistake::answer_of_next_fence,
     "answers of joint fences are read in the wrong order",
     56,
     {},
     worlds::joint_fences},
    {mistake::untold_entry_left, "who is not told leaves its entries in the queues", 5},
    {mistake::untold_key_not_extended, "a key that is found to be one's own is not extended", 8},
    {mistake::none, "no restart guard where nodes forget", 79, lock_kind::read_write, worlds::broken_guards},
};

bool can_be_made(worlds of, const weather& w) {
    switch (of) {
    case worlds::broken_guards:
        return !w.data_is_kept;
    case worlds::clusters:
    case worlds::groups:
        return w.clocks_are_bounded;
    case worlds::joint_fences:
    case worlds::stopped_clients:
        return w.clocks_are_bounded && !w.groups && !w.clusters;
    case worlds::drawn:
        break;
    }
    return true;
}

void (weather::*made(worlds of))() {
    switch (of) {
    case worlds::broken_guards:
        return &weather::break_guard;
    case worlds::clusters:
        return &weather::replace_masters;
    case worlds::joint_fences:
        return &weather::hand_on_together;
    case worlds::stopped_clients:
        return &weather::stop_those_who_wait;
    case worlds::groups:
        return &weather::replace_masters_of_groups;
    case worlds::drawn:
        break;
    }
    return nullptr;
}

/// The worlds in which it can be found.
std::vector<std::uint64_t> worlds_of(const entry& e, const run_options& o) {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = o.first; seed < o.first + o.count; ++seed) {
        const weather w(seed);
        if ((!e.about || w.has(*e.about)) && can_be_made(e.in, w)) seeds.push_back(seed);
    }
    if (!o.shares) {
        std::erase(seeds, e.shows_in);
        seeds.insert(seeds.begin(), e.shows_in);
    }
    return seeds;
}

std::uint64_t fewest(std::size_t worlds) {
    const double hundredth = static_cast<double>(worlds) / 100;
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(hundredth - 2 * std::sqrt(hundredth))));
}

// In all worlds where the share is wanted, else until it is found.
bool falls_often(const entry& planted, const run_options& o) {
    const std::vector<std::uint64_t> seeds = worlds_of(planted, o);
    redlock::core::planted_mistake = planted.planted;
    const std::uint64_t needed = !o.shares ? 1 : fewest(seeds.size());
    std::uint64_t tried = 0;
    std::uint64_t found = 0;
    std::string first;
    const auto each = [&](std::uint64_t seed, const outcome& out) {
        ++tried;
        if (!out.breaches.empty() && ++found == 1)
            first = fmt::format("seed {}: {}", seed, out.breaches.front());
        return o.shares || found < needed;
    };
    run_all(seeds, o.jobs, each, made(planted.in));
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
    bool all_fall = true;
    for (const entry& e : entries)
        if (o.mistake.empty() || o.mistake == e.name) all_fall = falls_often(e, o) && all_fall;
    return all_fall ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
    fmt::print(stderr, "redlock_sim_mistakes: {}\n", e.what());
    return 2;
}
