// What the database plans for the statements of locks: it keeps plans, and tables grow.

#include "postgres_fixture.hpp"

#include <cstdint>
#include <string>

namespace redlock::test {
namespace {

struct plan_fixture : postgres_fixture {
    /// Rows that the statements of clients that are gone have gone through.
    std::int64_t rows_read() {
        BOOST_REQUIRE(run_until([&] {
            return database.query("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND "
                                  "backend_type = 'client backend'") == std::vector<std::string>{"0"};
        }));
        return std::stoll(database
                              .query("SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) "
                                     "FROM pg_stat_user_tables WHERE relname = 'redlock'")
                              .at(0));
    }
};

BOOST_FIXTURE_TEST_SUITE(plan_suite, plan_fixture)

BOOST_AUTO_TEST_CASE(a_plan_that_was_made_while_the_table_was_small_is_quick_when_it_is_large) {
    {
        client first = make_client();
        BOOST_REQUIRE(!try_lock(first));
        close(first);
    }
    database.query("VACUUM ANALYZE redlock");
    client locks = make_client();
    lease before = lock(locks, "key", fenced());
    BOOST_TEST(!unlock(before));
    constexpr std::int64_t many = 20'000;
    database.query("INSERT INTO redlock SELECT ('\\x' || lpad(to_hex(i), 8, '0'))::bytea, 't' || i, i, "
                   "now() + interval '1 hour' FROM generate_series(1, " +
                   std::to_string(many) + ") AS i");
    lease held = lock(locks, "key", fenced());
    BOOST_TEST(inspect(locks).holder.has_value());
    BOOST_TEST(try_lock(locks) == errc::held);
    outcome<> renewed;
    held.async_extend(long_ttl, renewed.handler());
    complete(renewed);
    BOOST_TEST(!renewed.error());
    BOOST_TEST(!unlock(held));
    close(locks);
    BOOST_TEST(rows_read() < many);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
