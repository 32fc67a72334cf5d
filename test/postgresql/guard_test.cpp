// The user's own transaction that begins with the guard of a row: who was stalled cannot commit behind who
// took over.

#include "postgres_fixture.hpp"

#include <libpq-fe.h>
#include <memory>

namespace redlock::test {
namespace {

/// A user's connection.
class user {
public:
    explicit user(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str()), &PQfinish) {
        BOOST_REQUIRE(PQstatus(connection_.get()) == CONNECTION_OK);
    }
    /// How many rows there were, -1 for an error.
    int run(const std::string& statement) {
        const std::unique_ptr<PGresult, decltype(&PQclear)> r(PQexec(connection_.get(), statement.c_str()),
                                                              &PQclear);
        const auto status = PQresultStatus(r.get());
        if (status == PGRES_TUPLES_OK) return PQntuples(r.get());
        return status == PGRES_COMMAND_OK ? 0 : -1;
    }
    /// As docs/guide/postgresql.md has it.
    int guard(const std::string& key, std::uint64_t token) {
        return run("SELECT 1 FROM redlock WHERE key = '" + key + "' AND fence = " + std::to_string(token) +
                   " AND token IS NOT NULL FOR KEY SHARE");
    }

private:
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

struct guard_test_fixture : postgres_fixture {
    guard_test_fixture() { database.query("CREATE TABLE stock AS SELECT 10 AS pieces"); }

    client locks = make_client(), others = make_client();
    user writer{database.conninfo()};
};

BOOST_FIXTURE_TEST_SUITE(guard_suite, guard_test_fixture)

BOOST_AUTO_TEST_CASE(a_transaction_that_began_in_time_commits_before_anybody_else_is_granted_the_key) {
    lease held = lock(locks, "stock", {.ttl = 400ms, .renew = false, .fencing = true});
    writer.run("BEGIN");
    BOOST_TEST(writer.guard("stock", *held.fencing_token()) == 1);
    // It stalls for longer than its lease.
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(run_until([&] {
        return database.query("SELECT expires < clock_timestamp() FROM redlock WHERE key = 'stock'").at(0) ==
               "t";
    }));
    BOOST_TEST(try_lock(others, "stock") == errc::held);
    outcome<lease> next;
    others.async_lock("stock", fenced(), next.handler());
    BOOST_TEST(writer.run("UPDATE stock SET pieces = pieces - 1") == 0);
    BOOST_TEST(!next.done());
    BOOST_TEST(writer.run("COMMIT") == 0);
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(database.query("SELECT pieces FROM stock").at(0) == "9");
}

BOOST_AUTO_TEST_CASE(a_transaction_that_begins_too_late_finds_no_row) {
    lease held = lock(locks, "stock", {.ttl = 300ms, .renew = false, .fencing = true});
    const std::uint64_t old = *held.fencing_token();
    lease next = lock(others, "stock", fenced());
    writer.run("BEGIN");
    BOOST_TEST(writer.guard("stock", old) == 0);
    writer.run("ROLLBACK");
    writer.run("BEGIN");
    BOOST_TEST(writer.guard("stock", *next.fencing_token()) == 1);
    BOOST_TEST(writer.run("COMMIT") == 0);
}

BOOST_AUTO_TEST_CASE(a_guard_hinders_neither_renewals_nor_the_release_nor_other_keys) {
    lease held = lock(locks, "stock", fenced(1500ms));
    writer.run("BEGIN");
    BOOST_TEST(writer.guard("stock", *held.fencing_token()) == 1);
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!try_lock(others, "another"));
    BOOST_TEST(!unlock(held));
    // While the transaction goes on, be it for the client that left the row.
    BOOST_TEST(try_lock(locks, "stock") == errc::held);
    BOOST_TEST(try_lock(others, "stock") == errc::held);
    writer.run("COMMIT");
    BOOST_TEST(!try_lock(others, "stock"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
