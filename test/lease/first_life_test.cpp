// Keys that were handed over by another client live for a short while at first.

#include "lessee_fixture.hpp"

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(first_life, lessee_fixture)

BOOST_AUTO_TEST_CASE(the_engine_knows_who_renews) {
    const lock_caller renews(*this);
    BOOST_TEST(engine.contests.back()->wanted.renews);
    const lock_caller at_once(*this, {.ttl = 10s, .wait = 0ms, .renew = false});
    BOOST_TEST(!engine.contests.back()->wanted.renews);
}

BOOST_AUTO_TEST_CASE(a_renewal_soon_after_the_grant_brings_the_whole_ttl) {
    lock_caller caller(*this, {.ttl = 10s, .lock_delay = 5s});
    BOOST_TEST(grant(1s, 2ms));
    BOOST_TEST((caller.held->remaining() == 986ms - 1ns));
    pass(9ms);
    BOOST_TEST(engine.renewals.empty());
    pass(1ms);
    BOOST_REQUIRE(engine.renewals.size() == 1u);
    BOOST_TEST((engine.renewals.back()->life == 15s));
    decide(engine::outcome::confirmed);
    BOOST_TEST((caller.held->remaining() == 9898ms - 1ns));
    pass(2s);
    BOOST_TEST(engine.renewals.size() == 1u);
    BOOST_TEST(!caller.held->stop_token().stop_requested());
}

BOOST_AUTO_TEST_CASE(a_key_that_has_its_ttl_is_renewed_as_ever) {
    lock_caller caller(*this);
    BOOST_TEST(grant(10s));
    pass(2s);
    BOOST_TEST(engine.renewals.empty());
    BOOST_TEST((caller.held->remaining() == 7898ms - 1ns));
}

BOOST_AUTO_TEST_CASE(a_first_renewal_that_fails_is_tried_again_until_half_of_the_life_is_over) {
    lock_caller caller(*this);
    BOOST_TEST(grant(1s));
    pass(10ms);
    for (; clock < time::instant(1h + 493ms); pass(1ms))
        if (engine.renewals.back()->listener) decide(engine::outcome::inconclusive);
    BOOST_TEST(engine.renewals.size() > 10u);
    BOOST_TEST(!caller.held->stop_token().stop_requested());
    pass(1ms);
    BOOST_TEST(caller.held->stop_token().stop_requested());
    BOOST_TEST(caller.held->valid());
    pass(494ms);
    BOOST_TEST(!caller.held->valid());
}

// Its margin is a tenth of the ttl, as long as the whole life.
BOOST_AUTO_TEST_CASE(what_is_taken_has_half_of_its_life_left) {
    lock_caller caller(*this);
    BOOST_TEST(!grant(1s, 494ms));
    BOOST_TEST(lessee->counts().late_grants == 1u);
    BOOST_TEST(grant(1s, 493ms));
    // More than a third of it is over.
    BOOST_TEST(engine.renewals.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_next_caller_has_the_whole_ttl_confirmed_when_little_is_left) {
    lock_caller first(*this);
    BOOST_TEST(grant(1s));
    lock_caller next(*this);
    first.unlock();
    BOOST_TEST(!next.held);
    BOOST_REQUIRE(engine.renewals.size() == 1u);
    BOOST_TEST((engine.renewals.back()->life == 10s));
    decide(engine::outcome::confirmed);
    BOOST_REQUIRE(next.held);
    BOOST_TEST((next.held->remaining() == 9898ms - 1ns));
    pass(2s);
    BOOST_TEST(engine.renewals.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_next_caller_renews_as_early_when_it_takes_what_is_left) {
    lock_caller first(*this);
    BOOST_TEST(grant(6s));
    lock_caller next(*this);
    pass(5ms);
    first.unlock();
    BOOST_REQUIRE(next.held);
    BOOST_TEST((next.held->remaining() == 5933ms - 1ns));
    BOOST_TEST(engine.renewals.empty());
    pass(5ms);
    BOOST_TEST(engine.renewals.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
