// A key that an unlock leaves for others to find.

#include "zookeeper_fixture.hpp"

namespace redlock::test {
namespace {

using milliseconds = std::chrono::milliseconds;

lock_options kept(milliseconds time) { return {.ttl = 20s, .keep = time}; }

struct keep_fixture : zookeeper_fixture {
    client locks = make_client(), others = make_client();
};

BOOST_AUTO_TEST_SUITE(keep_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(an_unlock_leaves_the_key_for_others_to_find, keep_fixture) {
    lease held = lock(locks, "key", kept(long_ttl));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!held.valid());
    BOOST_TEST(inspect(others).holder.has_value());
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
}

BOOST_FIXTURE_TEST_CASE(the_next_gets_it_when_that_time_is_over_and_not_before, keep_fixture) {
    const auto before = std::chrono::steady_clock::now();
    lease held = lock(locks, "key", kept(2500ms));
    BOOST_TEST(!unlock(held));
    lease next = lock(others);
    BOOST_TEST((std::chrono::steady_clock::now() >= before + 2500ms));
    BOOST_TEST(next.valid());
}

BOOST_FIXTURE_TEST_CASE(a_lease_that_was_held_for_longer_leaves_nothing, keep_fixture) {
    lease held = lock(locks, "key", {.ttl = 900ms, .keep = 200ms});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!inspect(others).holder);
    BOOST_TEST(!try_lock(others));
}

BOOST_FIXTURE_TEST_CASE(a_client_that_closes_before_the_unlock_leaves_nothing, keep_fixture) {
    const lease held = lock(locks, "key", kept(long_ttl));
    close(locks);
    BOOST_TEST(!inspect(others).holder);
    BOOST_TEST(!try_lock(others));
}

// The session ends with the client, but the record stays.
BOOST_FIXTURE_TEST_CASE(the_key_outlives_the_client_that_closed_behind_the_unlock, keep_fixture) {
    const auto before = std::chrono::steady_clock::now();
    lease held = lock(locks, "key", {.ttl = 1s, .keep = 2500ms});
    BOOST_TEST(!unlock(held));
    close(locks);
    lease next = lock(others);
    BOOST_TEST((std::chrono::steady_clock::now() >= before + 2500ms));
    BOOST_TEST(next.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
