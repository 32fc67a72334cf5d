#include "lock_all_fixture.hpp"

#include <stop_token>
#include <string>
#include <vector>

// Keys of a set that are lost, on the way to it and afterwards.

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(lock_all_loss, lock_all_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(what_is_lost_while_another_is_waited_for_is_taken_anew) {
    hold(24h, "b");
    auto got = ask(locks, {"a", "b"});
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    hold(24h, "a"); // somebody else has it from now on
    BOOST_REQUIRE(run_until([&] { return waiting("a") == 1; }));
    BOOST_TEST(waiting("b") == 0u);
    lose("b");
    lose("a");
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!got.error());
    BOOST_TEST(got.value().valid());
}

// Time has passed, and the other one comes before anybody was told that this one is over.
BOOST_AUTO_TEST_CASE(what_is_over_by_the_clock_is_taken_anew) {
    lock_options options = patiently();
    options.renew = false;
    for (const std::chrono::milliseconds time : {long_ttl - 60s, long_ttl + 1s}) {
        hold(24h, "b");
        auto got = ask(locks, {"a", "b"}, options);
        BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
        hand->let_time_pass(time);
        hand->lose(prefix + "b");
        BOOST_REQUIRE(complete(got));
        BOOST_TEST(!got.error());
        BOOST_TEST(got.value().remaining() > long_ttl / 2);
        settle();
        BOOST_TEST(!got.value().stop_token().stop_requested());
        BOOST_TEST(!unlock_all(got.value()));
    }
}

BOOST_AUTO_TEST_CASE(the_loss_of_one_stops_all) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    lease_set held = lock_all(locks, {"a", "b"}, options);
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    lose("b");
    BOOST_REQUIRE(complete(lost));
    BOOST_TEST(!lost.error());
    BOOST_TEST(stop.stop_requested());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.remaining().count() == 0);
    BOOST_TEST(held[0].valid());
    BOOST_TEST(unlock_all(held) == errc::lease_lost);
    expect_free({"a", "b"});
}

BOOST_AUTO_TEST_CASE(without_a_stop_source_the_set_has_one) {
    for (const keys& wanted : {keys{"a"}, keys{"a", "b"}}) {
        lease_set held = lock_all(locks, wanted);
        const std::stop_token token = held.stop_token();
        BOOST_TEST(token.stop_possible());
        BOOST_TEST(!token.stop_requested());
        lose("a");
        BOOST_TEST(token.stop_requested());
    }
}

BOOST_AUTO_TEST_CASE(a_stop_source_is_left_alone_by_what_was_lost_before_the_grant) {
    std::stop_source stop;
    lock_options options = patiently();
    options.stop = &stop;
    hold(24h, "b");
    auto got = ask(locks, {"a", "b"}, options);
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    lose("a");
    lose("b");
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!got.error());
    BOOST_TEST(!stop.stop_requested());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
