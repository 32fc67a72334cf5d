#include "core/quorum/fence_life.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {
constexpr std::uint64_t key = 4711;
}

BOOST_AUTO_TEST_SUITE(fence_life_suite)

BOOST_AUTO_TEST_CASE(it_is_told_once_in_a_while) {
    fence_life lives(16h);
    const instant now(1h);
    BOOST_TEST(lives.must_tell(key, now));
    BOOST_TEST(!lives.must_tell(key, now + 1min));
    BOOST_TEST(!lives.must_tell(key, now + 56min));
    // What is left of a life after that long is the retention.
    BOOST_CHECK(lives.span() == 17h);
    BOOST_TEST(lives.must_tell(key, now + 1h));
    BOOST_TEST(!lives.must_tell(key, now + 1h + 56min));
}

BOOST_AUTO_TEST_CASE(never_later_than_after_the_pause) {
    for (const std::chrono::milliseconds retention : {16ms, 1000ms, 86'400'000ms}) {
        fence_life lives(retention);
        const nanoseconds pause = lives.span() - retention;
        const nanoseconds step = std::max(pause / 7, nanoseconds(1));
        instant told(1h);
        BOOST_REQUIRE(lives.must_tell(key, told));
        for (instant now = told; now < instant(1h) + 2000 * pause; now += step) {
            const bool must = lives.must_tell(key, now);
            BOOST_REQUIRE((must || now - told < pause));
            if (must) told = now;
        }
    }
}

BOOST_AUTO_TEST_CASE(a_life_that_is_too_short_for_a_pause_is_told_each_time) {
    fence_life lives(15ms);
    BOOST_TEST((lives.span() == 15ms));
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(lives.must_tell(key, instant(1h) + i * 1us));
}

BOOST_AUTO_TEST_CASE(every_key_is_told_for_itself) {
    fence_life lives(1h);
    const instant now(1h);
    for (std::uint64_t i = 1; i <= 100'000; ++i)
        BOOST_REQUIRE(lives.must_tell(i << 7, now));
}

BOOST_AUTO_TEST_CASE(eight_keys_on_the_same_places_do_not_push_each_other_out) {
    fence_life lives(16h);
    const instant now(1h);
    const auto another = [](std::uint64_t i) { return key + (i << 40); };
    for (std::uint64_t i = 0; i < 8; ++i)
        BOOST_TEST(lives.must_tell(another(i), now + i * 4min));
    for (std::uint64_t i = 0; i < 8; ++i)
        BOOST_TEST(!lives.must_tell(another(i), now + 30min));
    // A ninth pushes out the one that was told first.
    BOOST_TEST(lives.must_tell(another(8), now + 32min));
    for (std::uint64_t i = 1; i < 9; ++i)
        BOOST_TEST(!lives.must_tell(another(i), now + 33min));
    BOOST_TEST(lives.must_tell(another(0), now + 33min));
}

BOOST_AUTO_TEST_CASE(what_is_told_again_stays_in_its_place) {
    fence_life lives(16h);
    const instant now(1h);
    for (std::uint64_t i = 0; i < 8; ++i)
        BOOST_TEST(lives.must_tell(key + (i << 40), now + i * 4min));
    BOOST_TEST(lives.must_tell(key, now + 61min));
    BOOST_TEST(lives.must_tell(key + (1ull << 40), now + 65min));
    BOOST_TEST(!lives.must_tell(key, now + 66min));
}

BOOST_AUTO_TEST_CASE(what_may_be_lost_is_told_again) {
    fence_life lives(1h);
    BOOST_TEST(lives.must_tell(key, instant(1h)));
    lives.forget_all();
    BOOST_TEST(lives.must_tell(key, instant(1h)));
    BOOST_TEST(!lives.must_tell(key, instant(1h)));
}

BOOST_AUTO_TEST_SUITE_END()
