#include "core/fence_life.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {
constexpr std::uint64_t key = 4711;
}

BOOST_AUTO_TEST_SUITE(fence_life_suite)

BOOST_AUTO_TEST_CASE(a_node_is_told_once_in_a_while) {
    fence_life lives(16h);
    const instant now(1h);
    BOOST_TEST(lives.untold(key, 0b111, now) == 0b111u);
    BOOST_TEST(lives.untold(key, 0b111, now + 1min) == 0u);
    BOOST_TEST(lives.untold(key, 0b11100, now + 2min) == 0b11000u);
    BOOST_TEST(lives.untold(key, 0b11111, now + 59min) == 0u);
    // What is left of a life after that long is the retention.
    BOOST_CHECK(lives.span() == 17h);
    BOOST_TEST(lives.untold(key, 0b111, now + 1h) == 0b111u);
}

BOOST_AUTO_TEST_CASE(every_key_is_told_for_itself) {
    fence_life lives(1h);
    const instant now(1h);
    for (std::uint64_t i = 1; i <= 100'000; ++i)
        BOOST_REQUIRE(lives.untold(i, 1, now) == 1u);
}

BOOST_AUTO_TEST_CASE(two_keys_on_the_same_places_do_not_push_each_other_out) {
    fence_life lives(16h);
    const instant now(1h);
    const std::uint64_t other = key + (std::uint64_t{1} << 40);
    const std::uint64_t third = key + (std::uint64_t{1} << 41);
    BOOST_TEST(lives.untold(key, 1, now) == 1u);
    BOOST_TEST(lives.untold(other, 1, now + 1s) == 1u);
    BOOST_TEST(lives.untold(key, 1, now + 2s) == 0u);
    BOOST_TEST(lives.untold(other, 1, now + 3s) == 0u);
    // A third pushes out the one that was told first.
    BOOST_TEST(lives.untold(third, 1, now + 4s) == 1u);
    BOOST_TEST(lives.untold(other, 1, now + 5s) == 0u);
    BOOST_TEST(lives.untold(key, 1, now + 6s) == 1u);
}

BOOST_AUTO_TEST_CASE(what_may_be_lost_is_told_again) {
    fence_life lives(1h);
    BOOST_TEST(lives.untold(key, 0b111, instant(1h)) == 0b111u);
    lives.forget_all();
    BOOST_TEST(lives.untold(key, 0b111, instant(1h)) == 0b111u);
}

BOOST_AUTO_TEST_SUITE_END()
