// Fencing tokens where rows are deleted and servers change, sessions that are ended, logins, labels, TLS.

#include "mariadb_fixture.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

namespace redlock::test {
namespace {

struct mariadb_fence_fixture : mariadb_fixture {
    std::uint64_t take(client& by, const std::string& key = "key") {
        lease held = lock(by, key, fenced());
        const std::uint64_t token = *held.fencing_token();
        BOOST_TEST(!unlock(held));
        return token;
    }
    client make_client_as(const std::string& user, const std::string& password = "") {
        config c = settings();
        c.credentials = [=](std::string_view) { return credentials{.user = user, .password = password}; };
        return client(context.get_executor(), c);
    }

    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(mariadb_fence_suite, mariadb_fence_fixture)

BOOST_AUTO_TEST_CASE(fencing_tokens_rise_also_where_the_row_was_deleted_in_between) {
    std::uint64_t last = 0;
    for (int i = 0; i < 5; ++i)
        last = take(locks);
    database.query("UPDATE redlock SET expires = UTC_TIMESTAMP(6) - INTERVAL 2 MINUTE WHERE `key` = 'key'");
    BOOST_TEST(run_until(4 * patience, [&] {
        return database.query("SELECT COUNT(*) FROM redlock WHERE `key` = 'key'").at(0) == "0";
    }));
    BOOST_TEST(take(locks) > last);
}

BOOST_AUTO_TEST_CASE(another_server_grants_behind_the_guard_with_higher_tokens) {
    const std::uint64_t before = take(locks);
    database.crash();
    // To the clients a replica that has taken over.
    database.change_settings({"--server-id=77"});
    database.start();
    config c = settings();
    c.restart_guard = 3s;
    client guarded(context.get_executor(), c);
    BOOST_TEST(run_until([&] { return guarded.metrics().nodes.at(0).quarantined; }));
    BOOST_TEST(try_lock(guarded) == errc::no_quorum);
    BOOST_TEST(run_until([&] { return !try_lock(guarded); }));
    const std::uint64_t after = take(guarded);
    BOOST_TEST((after >> 44) == (before >> 44) + 1);
}

BOOST_AUTO_TEST_CASE(a_table_without_the_row_of_the_server_gets_it_back_before_anything_is_granted) {
    take(locks);
    database.query("DELETE FROM redlock");
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
    BOOST_TEST(database.query("SELECT COUNT(*) FROM redlock WHERE `key` = ''").at(0) == "1");
    database.query("DROP TABLE redlock");
    BOOST_TEST(run_until([&] { return !try_lock(locks); }));
}

BOOST_AUTO_TEST_CASE(a_replica_is_refused) {
    database.query("SET GLOBAL read_only = 1");
    client refused = make_client();
    BOOST_TEST(run_until([&] { return refused.metrics().nodes.at(0).state == "unavailable"; }));
    BOOST_TEST(try_lock(refused) == errc::read_only);
    database.query("SET GLOBAL read_only = 0");
    BOOST_TEST(run_until([&] { return !try_lock(refused); }));
}

BOOST_AUTO_TEST_CASE(a_password_is_asked_for_and_stands_in_no_error) {
    database.query("CREATE USER keeper@'%' IDENTIFIED BY 'open-sesame'; GRANT ALL ON locks.* TO keeper@'%'");
    client welcome = make_client_as("keeper", "open-sesame");
    BOOST_TEST(!try_lock(welcome));
    client stranger = make_client_as("keeper", "wrong-word");
    BOOST_TEST(run_until([&] { return stranger.metrics().nodes.at(0).state == "unavailable"; }));
    BOOST_TEST(try_lock(stranger) == errc::authentication_failed);
    BOOST_TEST(stranger.metrics().nodes.at(0).last_error_text.find("wrong-word") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_user_without_rights_is_told_so) {
    take(locks);
    database.query("CREATE USER poor@'%'; GRANT SELECT ON locks.* TO poor@'%'");
    client poor = make_client_as("poor");
    BOOST_TEST(run_until([&] { return try_lock(poor) == errc::permission_denied; }));
}

BOOST_AUTO_TEST_CASE(it_goes_by_a_unix_socket_and_by_a_name) {
    client near_by(context.get_executor(), settings(database.unix_uri()));
    BOOST_TEST(!try_lock(near_by));
    client by_name(context.get_executor(),
                   settings(fmt::format("mariadb://redlock@localhost:{}/locks", database.port())));
    BOOST_TEST(!try_lock(by_name));
}

BOOST_AUTO_TEST_CASE(who_holds_a_key_is_called_by_its_label) {
    config c = settings();
    c.holder_label = "web-1 \xc3\xa9";
    client named(context.get_executor(), c);
    lease held = lock(named);
    BOOST_TEST(inspect(locks).holder_label.starts_with("web-1"));
    BOOST_TEST(!unlock(held));
    lease other = lock(locks);
    BOOST_TEST(inspect(locks).holder_label.empty());
}

BOOST_AUTO_TEST_CASE(a_session_that_somebody_ends_is_made_anew_and_leases_go_on) {
    lease held = lock(locks, "key", fenced(20s));
    database.end_sessions_of("redlock");
    BOOST_TEST(reconnects(locks));
    outcome<> extended;
    held.async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(thirty_thousand_locks_are_held_renewed_and_given_back) {
    constexpr int count = 30'000;
    std::vector<outcome<lease>> all(count);
    for (int i = 0; i < count; ++i)
        locks.async_lock(fmt::format("key{}", i), patiently(), all[static_cast<std::size_t>(i)].handler());
    for (auto& each : all) {
        BOOST_REQUIRE(run_until(10 * patience, [&] { return each.done(); }));
        BOOST_REQUIRE(!each.error());
    }
    BOOST_TEST(held_rows() == std::to_string(count));
    all.clear();
    BOOST_TEST(run_until(10 * patience, [&] { return held_rows() == "0"; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
