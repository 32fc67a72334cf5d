// A row that an unlock leaves for others to find.

#include "postgres_fixture.hpp"
#include "support/fault_proxy.hpp"

namespace redlock::test {
namespace {

using milliseconds = std::chrono::milliseconds;

lock_options kept(milliseconds time) { return {.ttl = 20s, .keep = time}; }

struct row_keep_fixture : postgres_fixture {
    /// By the clock of the server.
    milliseconds now() const { return time_of("clock_timestamp()", ""); }
    milliseconds end_of_row() const { return time_of("expires", " FROM redlock WHERE key = 'key'"); }

    client locks = make_client(), others = make_client();

private:
    milliseconds time_of(const std::string& what, const std::string& where) const {
        return milliseconds(std::stoll(
            database.query("SELECT floor(extract(epoch FROM " + what + ") * 1000)::bigint" + where).at(0)));
    }
};

BOOST_FIXTURE_TEST_SUITE(row_keep_suite, row_keep_fixture)

BOOST_AUTO_TEST_CASE(an_unlock_leaves_the_row_for_that_long_behind_the_grant) {
    const milliseconds before = now();
    lease held = lock(locks, "key", {.ttl = 1s, .keep = long_ttl});
    const milliseconds granted = now();
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    const milliseconds unlocking = now();
    BOOST_TEST(!unlock(held));
    const milliseconds unlocked = now();
    BOOST_TEST(!held.valid());
    BOOST_TEST(locks.metrics().held == 0u);
    BOOST_TEST(locks.metrics().engine == "postgresql");
    // The unlock is on its way to the row for as long as it takes.
    BOOST_TEST((end_of_row() >= before + long_ttl));
    BOOST_TEST((end_of_row() <= granted + long_ttl + (unlocked - unlocking) + 5ms));
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(inspect(others).holder.has_value());
}

BOOST_AUTO_TEST_CASE(the_next_gets_it_when_that_time_is_over_and_not_before) {
    const milliseconds before = now();
    lease held = lock(locks, "key", kept(1500ms));
    BOOST_TEST(!unlock(held));
    lease next = lock(others);
    BOOST_TEST((now() >= before + 1500ms));
    BOOST_TEST(next.valid());
}

BOOST_AUTO_TEST_CASE(a_lease_that_was_held_for_longer_leaves_nothing) {
    lease held = lock(locks, "key", {.ttl = 900ms, .keep = 200ms});
    BOOST_REQUIRE(run_until([&] { return locks.metrics().renewals >= 2; }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(held_rows() == "0");
}

BOOST_AUTO_TEST_CASE(the_row_outlives_the_client_that_closed_behind_the_unlock) {
    lease held = lock(locks, "key", kept(long_ttl));
    outcome<> unlocked;
    held.async_unlock(unlocked.handler());
    close(locks);
    BOOST_REQUIRE(unlocked.done());
    BOOST_TEST(!unlocked.error());
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_before_the_unlock_leaves_nothing) {
    const lease held = lock(locks, "key", kept(long_ttl));
    close(locks);
    BOOST_TEST(held_rows() == "0");
}

BOOST_AUTO_TEST_CASE(a_lost_lease_leaves_nothing) {
    lease held = lock(locks, "key", {.ttl = 900ms, .keep = long_ttl});
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    database.query("DELETE FROM redlock WHERE key = 'key'");
    complete(lost);
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(held_rows() == "0");
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(what_the_database_was_not_told_it_is_told_when_it_is_back) {
    fault_proxy network{database.port()};
    config c = settings(postgres_server::uri_over(network.port()));
    c.node_timeout = 300ms;
    client distant(context.get_executor(), c);
    lease held = lock_briefly(distant, "key", kept(long_ttl));
    const milliseconds granted = now();
    network.lose(direction::to_server);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST((end_of_row() < granted + 60s));
    network.pass();
    BOOST_TEST(run_until([&] { return end_of_row() > granted + long_ttl / 2; }));
    BOOST_TEST(try_lock(others) == errc::held);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
