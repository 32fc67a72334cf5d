// Holders that say who they are, in tables with and without room for it.

#include "postgres_fixture.hpp"

#include <string>

namespace redlock::test {
namespace {

struct row_label_fixture : postgres_fixture {
    client labelled(const std::string& label, const std::string& user = {}) {
        config c = settings();
        c.holder_label = label;
        if (!user.empty())
            c.credentials = [user](std::string_view) { return credentials{.user = user, .password = {}}; };
        return client(context.get_executor(), c);
    }
    /// As the release before labels made it.
    void make_old_table() const {
        database.query(
            "CREATE SEQUENCE redlock_fence; CREATE TABLE redlock (key bytea PRIMARY KEY, token text, "
            "fence bigint NOT NULL, expires timestamptz NOT NULL, UNIQUE (key, fence)) "
            "WITH (fillfactor = 50)");
    }
    /// A user who may take locks, and no more.
    void make_user(const std::string& name) const {
        database.query("CREATE ROLE " + name + " LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON redlock TO " +
                       name + "; GRANT USAGE ON SEQUENCE redlock_fence TO " + name);
    }
    std::string columns() const {
        return database
            .query("SELECT count(*) FROM pg_attribute WHERE attrelid = 'redlock'::regclass AND attname = "
                   "'label' "
                   "AND NOT attisdropped")
            .at(0);
    }
    /// All that a client does, whoever is named.
    void locks_and_is_named(client& by, const std::string& shown) {
        lease held = lock(by, "key", fenced());
        const key_report report = inspect(silent);
        BOOST_TEST(report.holder.has_value());
        BOOST_TEST(report.holder_label == shown);
        BOOST_TEST(report.nodes.at(0).label == shown);
        BOOST_TEST(try_lock(silent) == errc::held);
        BOOST_TEST(!check(silent, *held.fencing_token()));
        BOOST_TEST(!unlock(held));
        BOOST_TEST(inspect(silent).holder_label.empty());
    }

    client silent = make_client();
};

BOOST_FIXTURE_TEST_SUITE(row_label_suite, row_label_fixture)

BOOST_AUTO_TEST_CASE(whoever_looks_is_told_who_the_holder_is) {
    client one = labelled("web-1: the first"), other = labelled("gr\xc3\xb6\xc3\x9f\xff");
    locks_and_is_named(one, "web-1: the first");
    locks_and_is_named(other, R"(gr\xc3\xb6\xc3\x9f?)");
    // Who has none does not go by the name of the one before.
    locks_and_is_named(silent, "");
}

BOOST_AUTO_TEST_CASE(it_stays_through_renewals_and_new_tokens) {
    client one = labelled("web-1");
    lease held = lock(one, "key", fenced(1s));
    BOOST_REQUIRE(run_until([&] { return one.metrics().renewals >= 2; }));
    BOOST_TEST(inspect(silent).holder_label == "web-1");
    outcome<lease> next;
    one.async_lock("key", fenced(), next.handler());
    BOOST_TEST(!unlock(held));
    complete(next);
    BOOST_TEST(inspect(silent).holder_label == "web-1");
}

BOOST_AUTO_TEST_CASE(a_table_of_an_earlier_release_gets_the_column_from_who_has_a_label) {
    make_old_table();
    locks_and_is_named(silent, "");
    BOOST_TEST(columns() == "0");
    client one = labelled("web-1");
    locks_and_is_named(one, "web-1");
    BOOST_TEST(columns() == "1");
    // Whoever was connected before goes on without, and is not taken for somebody else.
    lease crashed = lock(one);
    database.query("UPDATE redlock SET expires = clock_timestamp() WHERE key = 'key'");
    locks_and_is_named(silent, "");
}

BOOST_AUTO_TEST_CASE(who_may_not_alter_it_works_without) {
    make_old_table();
    make_user("worker");
    client one = labelled("web-1", "worker");
    locks_and_is_named(one, "");
    BOOST_TEST(columns() == "0");
    BOOST_TEST(one.metrics().nodes.at(0).last_error_text.empty());
    // Somebody else has made room: from the next connection on it is used.
    database.query("ALTER TABLE redlock ADD COLUMN label text");
    database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'worker'");
    BOOST_TEST(reconnects(one));
    locks_and_is_named(one, "web-1");
}

BOOST_AUTO_TEST_CASE(a_column_that_is_something_else_or_not_to_be_written_is_left_alone) {
    make_old_table();
    database.query("ALTER TABLE redlock ADD COLUMN label integer");
    client one = labelled("web-1");
    locks_and_is_named(one, "");
    database.query("ALTER TABLE redlock DROP COLUMN label; ALTER TABLE redlock ADD COLUMN label text");
    database.query("CREATE ROLE narrow LOGIN; GRANT SELECT, DELETE, INSERT (key, token, fence, expires), "
                   "UPDATE (token, fence, expires) ON redlock TO narrow; "
                   "GRANT USAGE ON SEQUENCE redlock_fence TO narrow");
    client other = labelled("web-2", "narrow");
    locks_and_is_named(other, "");
}

BOOST_AUTO_TEST_CASE(a_table_that_somebody_has_for_long_is_not_waited_for) {
    make_old_table();
    BOOST_REQUIRE(!try_lock(silent));
    // A transaction with the guard of a row: others lock beside it.
    const auto reader = database.lock_table("redlock IN ROW SHARE MODE", 60s);
    BOOST_REQUIRE(run_until([&] {
        return database
                   .query("SELECT count(*) FROM pg_locks WHERE relation = 'redlock'::regclass AND mode = "
                          "'RowShareLock' AND granted")
                   .at(0) != "0";
    }));
    client one = labelled("web-1");
    locks_and_is_named(one, "");
    BOOST_TEST(columns() == "0");
}

BOOST_AUTO_TEST_CASE(a_database_with_few_characters_is_given_no_others) {
    database.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    config c = settings(database.uri());
    std::string& uri = c.nodes.at(0);
    uri.replace(uri.rfind('/'), std::string::npos, "/latin");
    c.holder_label = "\xe2\x82\xac web";
    client one(context.get_executor(), c);
    lease held = lock(one);
    BOOST_TEST(inspect(one).holder_label == "??? web");
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
