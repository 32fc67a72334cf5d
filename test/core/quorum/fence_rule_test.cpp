#include "core/quorum/fence_rule.hpp"

#include <boost/test/unit_test.hpp>

using namespace redlock::core;
using standing = fence_rule::standing;

namespace {

fence_clock::wall_time at(std::int64_t microseconds) {
    return fence_clock::wall_time(std::chrono::microseconds(microseconds));
}

} // namespace

BOOST_AUTO_TEST_SUITE(fence_rule_suite)

BOOST_AUTO_TEST_CASE(the_token_is_the_highest_that_a_node_was_raised_to) {
    fence_rule rule;
    BOOST_TEST(rule.token() == 0u);
    BOOST_CHECK(rule.raised_to(10) == standing::raises);
    BOOST_CHECK(rule.raised_to(10) == standing::agrees);
    BOOST_CHECK(rule.raised_to(9) == standing::lags);
    BOOST_CHECK(rule.raised_to(11) == standing::raises);
    BOOST_CHECK(rule.raised_to(10) == standing::lags);
    BOOST_TEST(rule.token() == 11u);
    rule.restart();
    BOOST_CHECK(rule.raised_to(3) == standing::raises);
}

BOOST_AUTO_TEST_CASE(a_proposal_is_the_wall_clock_within_what_scripts_can_count) {
    const fence_clock clock;
    BOOST_TEST(clock.propose(at(1'700'000'000'000'000)) == 1'700'000'000'000'000u);
    BOOST_TEST(clock.propose(at(0)) == 1u);
    BOOST_TEST(clock.propose(at(-5)) == 1u);
    BOOST_TEST(clock.propose(at(std::int64_t{1} << 53)) == std::uint64_t{1} << 52);
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_behind_others_makes_up_for_it) {
    fence_clock clock;
    clock.saw(900, at(1'000));
    BOOST_TEST(clock.propose(at(1'000)) == 1'000u);
    clock.saw(5'000, at(1'000));
    BOOST_TEST(clock.propose(at(1'001)) == 5'001u);
    clock.saw(3'000, at(1'000));
    BOOST_TEST(clock.propose(at(1'001)) == 5'001u);
    clock.saw(std::uint64_t{1} << 53, at(1'000));
    BOOST_TEST(clock.propose(at(2'000)) == std::uint64_t{1} << 52);
}

BOOST_AUTO_TEST_SUITE_END()
