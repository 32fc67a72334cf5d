#include "lease_fixture.hpp"

namespace redlock::test {
namespace {

struct keep_fixture : lease_fixture {
    static lock_options kept(std::chrono::milliseconds time) {
        lock_options options = patiently();
        options.keep = time;
        return options;
    }

    client locks = make_client();
    client other = make_client();
};

BOOST_FIXTURE_TEST_SUITE(keep_suite, keep_fixture, *boost::unit_test::precondition(engine_in_hand))

// ShedLock #6: a short job ran again on the next host, whose clock was behind.
BOOST_AUTO_TEST_CASE(an_unlocked_key_stays_for_that_long_behind_the_grant) {
    lease held = lock(locks, "key", kept(1h));
    pass(5min);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!held.valid());
    BOOST_TEST(locks.metrics().held == 0u);
    BOOST_TEST(is_held());
    BOOST_TEST(try_lock(other) == errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
    pass(54min);
    BOOST_TEST(try_lock(other) == errc::held);
    pass(61s);
    BOOST_TEST(!try_lock(other));
}

BOOST_AUTO_TEST_CASE(a_lease_that_was_held_for_longer_leaves_nothing) {
    lease held = lock(locks, "key", kept(5min));
    pass(6min);
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_dropped_lease_leaves_its_key_too) {
    { const lease held = lock(locks, "key", kept(1h)); }
    settle();
    BOOST_TEST(is_held());
    pass(61min);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(the_key_outlives_the_client_that_closed_behind_the_unlock) {
    lease held = lock(locks, "key", kept(1h));
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    close(locks);
    BOOST_TEST(unlocked.done());
    BOOST_TEST(!unlocked.error());
    BOOST_TEST(is_held());
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_before_the_unlock_leaves_nothing) {
    lease held = lock(locks, "key", kept(1h));
    close(locks);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_lost_lease_leaves_nothing) {
    lease held = lock(locks, "key", kept(1h));
    lose();
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(callers_of_the_same_client_wait_for_it_as_well) {
    lease held = lock(locks, "key", kept(1h));
    outcome<lease> got;
    locks.async_lock("key", patiently(), got.handler());
    settle();
    BOOST_TEST(!unlock(held));
    settle();
    BOOST_TEST(!got.done());
    pass(61min);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!got.error());
}

BOOST_AUTO_TEST_CASE(a_request_that_fails_is_made_again) {
    lease held = lock(locks, "key", kept(2h));
    hand->fail_next(1);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST(is_held());
    pass(long_ttl / 10 + 1s); // the next request
    BOOST_TEST(is_held());
    pass(long_ttl);
    BOOST_TEST(is_held());
    pass(2h);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_client_can_close_while_a_request_is_to_be_made_again) {
    lease held = lock(locks, "key", kept(2h));
    hand->fail_next(1);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    close(locks);
}

BOOST_AUTO_TEST_CASE(a_time_that_is_out_of_range_is_refused) {
    lock_options wrong = once();
    wrong.keep = -1ms;
    BOOST_TEST(try_lock(locks, "key", wrong) == errc::invalid_option);
    wrong.keep = std::chrono::milliseconds((std::int64_t{1} << 53) + 1);
    BOOST_TEST(try_lock(locks, "key", wrong) == errc::invalid_option);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
