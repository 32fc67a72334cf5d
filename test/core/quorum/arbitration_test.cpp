#include "core/quorum/arbitration.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

struct arbitration_test_fixture {
    const instant now{10s};
    contest_memory memory;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(arbitration, arbitration_test_fixture)

BOOST_AUTO_TEST_CASE(who_gives_a_key_back_knows_whether_it_was_to_be_free) {
    contest_memory memory;
    BOOST_TEST(!memory.was_freed("key", now));
    memory.given_back("key", true, now);
    BOOST_TEST(memory.is_contested("key", now));
    BOOST_TEST(memory.was_freed("key", now));
    BOOST_TEST(!memory.was_freed("another", now));
    memory.refused("key", now);
    BOOST_TEST(memory.was_freed("key", now));
    BOOST_TEST(!memory.was_freed("key", now + contest_memory::quiet_while));
    memory.given_back("key", false, now);
    BOOST_TEST(memory.is_contested("key", now));
    BOOST_TEST(!memory.was_freed("key", now));
}

BOOST_AUTO_TEST_CASE(keys_are_spread_over_the_arbiters) {
    constexpr int keys = 5000;
    std::array<int, 5> chosen{};
    for (int key = 0; key < keys; ++key) {
        unsigned best = 0;
        for (unsigned node = 1; node < 5; ++node)
            if (arbitration_rank("order:" + std::to_string(key), "redis://10.0.0." + std::to_string(node)) >
                arbitration_rank("order:" + std::to_string(key), "redis://10.0.0." + std::to_string(best)))
                best = node;
        ++chosen[best];
    }
    for (const int count : chosen) {
        BOOST_TEST(count > keys / 5 * 8 / 10);
        BOOST_TEST(count < keys / 5 * 12 / 10);
    }
}

BOOST_AUTO_TEST_CASE(the_rank_is_the_same_in_every_build) {
    BOOST_TEST(arbitration_rank("key", "node") == 7166311238690887110u);
    BOOST_TEST(arbitration_rank("key", "node") != arbitration_rank("key", "edon"));
    BOOST_TEST(arbitration_rank("key", "node") != arbitration_rank("yek", "node"));
}

BOOST_AUTO_TEST_CASE(a_contest_is_remembered_for_a_while) {
    BOOST_TEST(!memory.is_contested("key", now));
    memory.refused("key", now);
    BOOST_TEST(memory.is_contested("key", now));
    BOOST_TEST(!memory.is_contested("another", now));
    BOOST_TEST(memory.is_contested("key", now + contest_memory::quiet_while - 1ns));
    BOOST_TEST(!memory.is_contested("key", now + contest_memory::quiet_while));
}

BOOST_AUTO_TEST_CASE(who_keeps_losing_is_in_a_crowd_until_it_wins_again) {
    memory.refused("key", now);
    BOOST_TEST(!memory.is_crowded("key", now));
    for (int i = 0; i < 10; ++i)
        memory.lost_race("key", now);
    BOOST_TEST(memory.is_crowded("key", now));
    for (int i = 0; i < 10; ++i)
        memory.won("key");
    BOOST_TEST(!memory.is_crowded("key", now));
    BOOST_TEST(memory.is_contested("key", now));
}

BOOST_AUTO_TEST_CASE(two_races_lost_make_a_crowd_and_a_win_outweighs_half_of_one) {
    memory.lost_race("key", now);
    BOOST_TEST(!memory.is_crowded("key", now));
    memory.lost_race("key", now);
    BOOST_TEST(memory.is_crowded("key", now));
    memory.won("key");
    BOOST_TEST(!memory.is_crowded("key", now));
    for (int i = 0; i < 10; ++i)
        memory.lost_race("key", now);
    for (int i = 0; i < 4; ++i)
        memory.won("key");
    BOOST_TEST(memory.is_crowded("key", now));
    memory.won("key");
    BOOST_TEST(!memory.is_crowded("key", now));
}

BOOST_AUTO_TEST_CASE(a_crowd_is_forgotten_when_it_was_quiet) {
    for (int i = 0; i < 10; ++i)
        memory.lost_race("key", now);
    memory.refused("key", now + contest_memory::quiet_while);
    BOOST_TEST(!memory.is_crowded("key", now + contest_memory::quiet_while));
}

BOOST_AUTO_TEST_SUITE_END()
