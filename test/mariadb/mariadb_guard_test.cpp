// The user's own transaction that begins with the guard of a row: who was stalled cannot commit behind who
// took over.

#include "mariadb_fixture.hpp"
#include "mariadb_user.hpp"

namespace redlock::test {
namespace {

struct mariadb_guard_fixture : mariadb_fixture {
    mariadb_guard_fixture() { database.query("CREATE TABLE stock AS SELECT 10 AS pieces"); }

    client locks = make_client(), others = make_client();
    mariadb_user writer{database};
};

BOOST_FIXTURE_TEST_SUITE(mariadb_guard_suite, mariadb_guard_fixture)

BOOST_AUTO_TEST_CASE(a_transaction_that_began_in_time_commits_before_anybody_else_is_granted_the_key) {
    lease held = lock_briefly(locks, "stock", {.ttl = 400ms, .renew = false, .fencing = true});
    writer.run("START TRANSACTION");
    BOOST_TEST(writer.guard("stock", *held.fencing_token()) == 1);
    // It stalls for longer than its lease.
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    complete(lost);
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(run_until([&] {
        return database.query("SELECT expires < UTC_TIMESTAMP(6) FROM redlock WHERE `key` = 'stock'").at(0) ==
               "1";
    }));
    BOOST_TEST(try_lock(others, "stock") == errc::held);
    outcome<lease> next;
    others.async_lock("stock", fenced(), next.handler());
    BOOST_TEST(writer.run("UPDATE stock SET pieces = pieces - 1") == 0);
    BOOST_TEST(!next.done());
    BOOST_TEST(writer.run("COMMIT") == 0);
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(*next.value().fencing_token() > *held.fencing_token());
    BOOST_TEST(database.query("SELECT pieces FROM stock").at(0) == "9");
}

BOOST_AUTO_TEST_CASE(a_transaction_that_begins_too_late_finds_no_row) {
    lease held = lock_briefly(locks, "stock", {.ttl = 300ms, .renew = false, .fencing = true});
    const std::uint64_t old = *held.fencing_token();
    lease next = lock(others, "stock", fenced());
    writer.run("START TRANSACTION");
    BOOST_TEST(writer.guard("stock", old) == 0);
    writer.run("ROLLBACK");
    writer.run("START TRANSACTION");
    BOOST_TEST(writer.guard("stock", *next.fencing_token()) == 1);
    BOOST_TEST(writer.run("COMMIT") == 0);
}

BOOST_AUTO_TEST_CASE(a_guard_hinders_neither_renewals_nor_the_release_nor_other_keys) {
    lease held = lock_briefly(locks, "stock", fenced(2s));
    writer.run("START TRANSACTION");
    BOOST_TEST(writer.guard("stock", *held.fencing_token()) == 1);
    BOOST_TEST(run_until([&] { return locks.metrics().renewals >= 4; }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!try_lock(others, "another"));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(try_lock(others, "stock") == errc::held); // while the transaction goes on
    writer.run("COMMIT");
    BOOST_TEST(!try_lock(others, "stock"));
}

// Nor do those who take, keep and give back a key touch the rows of others.
BOOST_AUTO_TEST_CASE(who_has_locked_another_row_is_waited_for_by_nobody) {
    lease other = lock(others, "other"), held = lock(locks, "key", fenced());
    BOOST_TEST(writer.run("START TRANSACTION") == 0);
    BOOST_TEST(writer.run("SELECT 1 FROM redlock WHERE `key` = 'other' FOR UPDATE") == 1);
    outcome<> extended;
    held.async_extend(long_ttl, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    outcome<lease> next; // has the lease handed on, with a token of its own
    locks.async_lock("key", fenced(), next.handler());
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(!next.error());
    BOOST_TEST(!unlock(next.value()));
    BOOST_TEST(!try_lock(locks, "new"));
    BOOST_TEST(locks.metrics().nodes.at(0).connects == 1u);
    BOOST_TEST(writer.run("COMMIT") == 0);
}

// As one does who makes the row of a key.
BOOST_AUTO_TEST_CASE(a_client_connects_while_another_has_the_row_of_the_server_in_common) {
    BOOST_TEST(!try_lock(locks));
    BOOST_TEST(writer.run("START TRANSACTION") == 0);
    BOOST_TEST(writer.run("SELECT 1 FROM redlock WHERE `key` = '' LOCK IN SHARE MODE") == 1);
    client third = make_client();
    BOOST_TEST(!try_lock(third, "third"));
    BOOST_TEST(third.metrics().nodes.at(0).connects == 1u);
    BOOST_TEST(writer.run("COMMIT") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
