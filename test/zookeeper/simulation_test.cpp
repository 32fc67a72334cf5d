// Clients that contend for one key by the rule, on an ensemble of which anything is to be expected: replies
// that are lost or come late, transactions that are done long after nobody waits for them any more, servers
// that are cut off and go on answering reads and pings, sessions that expire late or early, clients that
// stand still. And the rule with mistakes in it, each of which has to be found.

#include "simulated_client.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace redlock::zookeeper::test {
namespace {

struct outcome_of_run {
    int overlaps, grants, readings, downgrades;
    bool ends_clean;
};

outcome_of_run run(unsigned seed, planted mistake, const weather& around = {}) {
    world w(seed, mistake, around);
    std::vector<std::unique_ptr<simulated_client>> clients;
    for (const char name : std::string_view("abcd").substr(seed % 4))
        clients.push_back(std::make_unique<simulated_client>(w, name, clients));
    w.run(instant{around.lasts});
    w.calm = true;
    w.run(instant{around.lasts + 20s});
    bool all_over = true;
    for (const auto& c : clients)
        all_over = all_over && c->over;
    const auto& end = w.servers.newest();
    const bool clean = all_over && !end.holder && end.nodes.empty() && end.marks.empty();
    return {w.overlaps, w.grants, w.readings, w.downgrades, clean};
}

/// In how many of so many worlds something was wrong.
unsigned wrong_worlds(planted mistake, unsigned worlds, const weather& around) {
    unsigned wrong = 0;
    for (unsigned seed = 1; seed <= worlds; ++seed) {
        const auto r = run(seed, mistake, around);
        wrong += r.overlaps > 0 || !r.ends_clean;
    }
    return wrong;
}

// Sessions end while their holders go on.
constexpr weather sessions_end{.longest_cut = 350, .stopped = 0, .done_though_lost = 0};
// They end, and their holders are away for long.
constexpr weather long_cuts{.longest_cut = 1200, .stopped = 0, .done_though_lost = 0};
// Writes are done long after they were lost, and no session ends that would take away what they leave.
constexpr weather late_writes{.cut_off = 0, .stopped = 0, .lost_write = 50};
// Likewise, behind one that another has spoiled.
constexpr weather spoiled_and_late{.cut_off = 0, .stopped = 0, .lost_write = 50, .spoiled = 60};

// What was asked for in time is answered when it is too late.
constexpr weather late_answers{.cut_off = 0, .stopped = 0, .lost_write = 0, .reads = 0, .slow_answers = 20};

struct planted_in {
    const char* name;
    planted mistake;
    weather around;
};
constexpr planted_in all_mistakes[] = {
    {"pings_confirm", planted::pings_confirm, long_cuts},
    {"no_wait", planted::no_wait, {.lasts = 10s}},
    {"unversioned", planted::unversioned, {.lasts = 10s}},
    {"any_write_confirms", planted::any_write_confirms, sessions_end},
    {"no_void", planted::no_void, late_writes},
    {"shared_unversioned", planted::shared_unversioned, {.lasts = 10s}},
    {"shared_at_once", planted::shared_at_once, {}},
    {"marks_ignored", planted::marks_ignored, {.lasts = 10s}},
    {"writers_passed", planted::writers_passed, {}},
    {"readers_passed", planted::readers_passed, {}},
    {"downgrade_without_mark", planted::downgrade_without_mark, sessions_end},
    {"confirmed_behind_release", planted::confirmed_behind_release, late_answers},
    {"record_unseen", planted::record_unseen, sessions_end},
    {"spoiled_is_done", planted::spoiled_is_done, {.lasts = 10s}},
    {"spoiled_ends_doubt", planted::spoiled_ends_doubt, spoiled_and_late},
};
constexpr unsigned worlds_of_mistake = 200;

BOOST_AUTO_TEST_SUITE(simulation)

BOOST_AUTO_TEST_CASE(the_rule_holds_whatever_happens) {
    int grants = 0, readings = 0, downgrades = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        const auto r = run(seed, planted::none);
        BOOST_TEST(r.overlaps == 0, "seed " << seed);
        BOOST_TEST(r.ends_clean, "seed " << seed);
        grants += r.grants;
        readings += r.readings;
        downgrades += r.downgrades;
    }
    BOOST_TEST(grants > 300 * 10, grants);
    BOOST_TEST(readings > 300 * 4, readings);
    BOOST_TEST(downgrades > 300, downgrades);
}

BOOST_AUTO_TEST_CASE(each_mistake_is_found_in_one_world_of_fifty_at_least) {
    for (const planted_in& each : all_mistakes) {
        const unsigned wrong = wrong_worlds(each.mistake, worlds_of_mistake, each.around);
        BOOST_TEST_MESSAGE(each.name << ": " << wrong << " of " << worlds_of_mistake);
        BOOST_TEST(wrong * 50 >= worlds_of_mistake, each.name << " was found in " << wrong);
    }
}

BOOST_AUTO_TEST_CASE(the_rule_holds_in_the_weather_of_each_mistake) {
    for (const weather& around : {sessions_end, long_cuts, late_writes, spoiled_and_late, late_answers})
        BOOST_TEST(wrong_worlds(planted::none, worlds_of_mistake, around) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper::test
