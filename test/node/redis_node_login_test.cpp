#include "node/node_fixture.hpp"
#include "support/redis_server.hpp"

// Login: users, passwords, databases, and servers that know no HELLO.

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(redis_node_login_suite, node_fixture)

BOOST_AUTO_TEST_CASE(the_server_says_what_it_is) {
    redis_server server;
    auto named = patient();
    named.client_name = "orders-7";
    connect(server.uri(), named);
    BOOST_TEST(node->server().product == server.product());
    BOOST_TEST(node->server().version == server.version());
    BOOST_TEST(node->server().run_id == server.info("run_id"));
    BOOST_TEST(node->server().role == "master");
    BOOST_TEST(node->server().mode == "standalone");
    BOOST_TEST(node->server().uptime.count() >= 0);
    BOOST_TEST(server.command({"CLIENT", "LIST"}).text.find("name=orders-7") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_replica_is_refused) {
    redis_server master;
    redis_server replica({.directives = {"replicaof 127.0.0.1 " + std::to_string(master.port())}});
    start(replica.uri());
    BOOST_TEST(await_state(health::unavailable));
    BOOST_TEST((node->report().last_error == errc::read_only));
    BOOST_TEST((submit(1, {"GET", "key"}) == errc::read_only));
}

BOOST_AUTO_TEST_CASE(the_database_is_selected) {
    redis_server server;
    connect(server.uri() + "/3");
    BOOST_TEST(accepted(1, {"SET", "k", "three"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST(!server.exists("k"));
    server.command({"SELECT", "3"});
    BOOST_TEST((server.get("k") == "three"));
}

BOOST_AUTO_TEST_CASE(a_database_that_does_not_exist_is_an_error_of_its_own) {
    redis_server server;
    start(server.uri() + "/99");
    BOOST_TEST(accepted(1, {"PING"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::server_error, ""}));
    BOOST_TEST(node->report().last_error_text ==
               std::string(node->name()) + " refused SELECT 99: ERR DB index is out of range");
}

BOOST_AUTO_TEST_CASE(user_and_password_open_the_door) {
    redis_server server({.directives = {"user alice on >s3cret ~* &* +@all", "user default off"}});
    connect(server.uri("alice", "s3cret"));
    BOOST_TEST(accepted(1, {"ACL", "WHOAMI"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc{}, "alice"}));
}

BOOST_AUTO_TEST_CASE(a_password_alone_is_the_default_users) {
    redis_server server({.password = "p@ss word"});
    connect(server.uri("", "p%40ss%20word"));
}

BOOST_AUTO_TEST_CASE(a_user_without_info_is_served) {
    redis_server server({.directives = {"user bob on >pw ~* +get +set"}});
    connect(server.uri("bob", "pw"));
    BOOST_TEST(node->server().version == server.version()); // HELLO said it
    BOOST_TEST(node->server().run_id.empty());
    BOOST_TEST(accepted(1, {"SET", "k", "v"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc{}, "OK"}));
}

BOOST_AUTO_TEST_CASE(a_user_who_may_not_select_is_told_so) {
    redis_server server({.directives = {"user bob on >pw ~* +get +set"}});
    start(server.uri("bob", "pw") + "/1");
    BOOST_TEST(accepted(1, {"PING"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::permission_denied, ""}));
}

BOOST_AUTO_TEST_CASE(a_wrong_password_fails_at_once_and_is_never_shown) {
    redis_server server({.directives = {"user alice on >s3cret ~* +@all"}, .password = "other"});
    for (const auto& uri :
         {server.uri("alice", "wr0ngpass"), server.uri("nobody", "wr0ngpass"), server.uri()}) {
        log.outcomes.clear();
        start(uri);
        BOOST_TEST(accepted(1, {"PING"}));
        BOOST_TEST(await_outcomes(1));
        BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::authentication_failed, ""}));
        BOOST_TEST((node->state() == health::unavailable));
        BOOST_TEST((submit(2, {"PING"}) == errc::authentication_failed));
        const auto report = node->report();
        BOOST_TEST((report.last_error == errc::authentication_failed));
        BOOST_TEST(report.last_error_text.starts_with(node->name()));
        BOOST_TEST(report.last_error_text.find("wr0ngpass") == std::string::npos);
        BOOST_TEST(report.last_error_text.find("nobody") == std::string::npos);
        node->stop();
        BOOST_TEST(run_until([&] { return node->idle(); }));
    }
}

BOOST_AUTO_TEST_CASE(a_password_that_becomes_right_is_noticed) {
    redis_server server({.directives = {"user alice on >other ~* &* +@all"}});
    start(server.uri("alice", "s3cret"));
    BOOST_TEST(await_state(health::unavailable));
    server.command({"ACL", "SETUSER", "alice", ">s3cret"});
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"down", "connected"}));
}

BOOST_AUTO_TEST_CASE(a_server_without_hello_is_spoken_to_in_resp2) {
    redis_server server({.directives = {"rename-command HELLO \"\"", "user alice on >s3cret ~* &* +@all"},
                         .password = "other"});
    connect(server.uri("alice", "s3cret") + "/2");
    BOOST_TEST(node->server().version == server.version());
    BOOST_TEST(node->server().role == "master");
    BOOST_TEST(accepted(1, {"ACL", "WHOAMI"}));
    BOOST_TEST(accepted(2, {"CLIENT", "GETNAME"}));
    BOOST_TEST(accepted(3, {"GET", "missing"}));
    BOOST_TEST(accepted(4, {"SET", "k", "v"}));
    node->flush();
    BOOST_TEST(await_outcomes(4));
    const std::vector<request_outcome> expected{
        {1, errc{}, "alice"}, {2, errc{}, "redlock"}, {3, errc{}, ""}, {4, errc{}, "OK"}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
    server.command({"SELECT", "2"});
    BOOST_TEST(server.exists("k"));
}

BOOST_AUTO_TEST_CASE(a_wrong_password_in_resp2_is_no_different) {
    redis_server server({.directives = {"rename-command HELLO \"\""}, .password = "other"});
    for (const auto& uri : {server.uri("", "wr0ngpass"), server.uri()}) {
        start(uri);
        BOOST_TEST(await_state(health::unavailable));
        BOOST_TEST((node->report().last_error == errc::authentication_failed));
        BOOST_TEST(node->report().last_error_text.find("wr0ngpass") == std::string::npos);
        node->stop();
        BOOST_TEST(run_until([&] { return node->idle(); }));
    }
}

BOOST_AUTO_TEST_CASE(a_full_server_is_tried_again) {
    redis_server server({.directives = {"maxclients 1"}});
    connect(server.uri());
    auto first = std::move(node);
    start(server.uri());
    BOOST_TEST(await_state(health::unavailable));
    BOOST_TEST((submit(1, {"PING"}) == errc::node_unavailable));
    BOOST_TEST(node->report().last_error_text.ends_with("max number of clients reached"));
    first->stop();
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(run_until([&] { return first->idle(); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
