#include "node/node_fixture.hpp"
#include "support/scripted_peer.hpp"

#include <boost/test/data/test_case.hpp>

// Hostile peers: servers that are not Redis, or no longer behave like it.

namespace redlock::test {
namespace {

const std::string hello_reply = "%3\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n+role\r\n+master\r\n";

/// A peer that lets us in and answers everything else with `bytes`.
peer_script after_login(std::string bytes) {
    peer_script script;
    script.answer = [bytes = std::move(bytes)](const command_parser::command& words) {
        if (words.at(0) == "HELLO") return hello_reply;
        if (words.at(0) == "INFO") return std::string("$0\r\n\r\n");
        return bytes;
    };
    return script;
}

struct stranger {
    const char* name;
    peer_script script;
    const char* said_of_it;
};
std::ostream& operator<<(std::ostream& out, const stranger& s) { return out << s.name; }

peer_script mail_server() {
    peer_script script;
    script.greeting = "220 mail.example.org ESMTP\r\n";
    return script;
}

const stranger strangers[]{
    {"http", http_server(), "HTTP"},
    {"random bytes", random_bytes(1, 200'000), "RESP"},
    {"other random bytes", random_bytes(2, 200'000), "RESP"},
    {"endless line", endless_line(), "RESP"},
    {"2 GiB bulk string", huge_bulk(), "RESP"},
    {"a million elements", always_answers("*1000000\r\n"), "RESP"},
    {"deep nesting",
     always_answers("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n"), "RESP"},
    {"OK to everything", always_answers("+OK\r\n"), "HELLO"},
    {"a number to everything", always_answers(":1\r\n"), "HELLO"},
    {"an error to everything", always_answers("-ERR no\r\n"), "HELLO"},
    {"mail", mail_server(), "RESP"},
};

BOOST_FIXTURE_TEST_SUITE(redis_node_hostile_suite, node_fixture)

BOOST_DATA_TEST_CASE_F(node_fixture, who_does_not_speak_the_protocol_is_told_apart,
                       boost::unit_test::data::make(strangers), given) {
    scripted_peer peer(given.script);
    start("redis://alice:s3cret@127.0.0.1:" + std::to_string(peer.port()));
    BOOST_TEST(accepted(1, {"PING"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::protocol_error, ""}));
    BOOST_TEST((submit(2, {"PING"}) == errc::protocol_error));
    const auto report = node->report();
    BOOST_TEST((report.last_error == errc::protocol_error));
    BOOST_TEST(report.last_error_text.starts_with(node->name()));
    BOOST_TEST(report.last_error_text.find(given.said_of_it) != std::string::npos);
    BOOST_TEST(report.last_error_text.find("s3cret") == std::string::npos);
    BOOST_TEST(report.connects == 0u);
    BOOST_TEST(run_until([&] { return peer.accepted_connections() >= 2; })); // tried again
}

struct breach {
    const char* name;
    std::string bytes;
    const char* said_of_it;
};
std::ostream& operator<<(std::ostream& out, const breach& b) { return out << b.name; }

const breach breaches[]{
    {"no RESP", "?what\r\n", "RESP"},
    {"a reply too many", "+OK\r\n+OK\r\n", "reply to no command"},
    {"a huge bulk string", "$2147483648\r\n", "RESP"},
    {"an endless line", "+" + std::string(100'000, 'a'), "RESP"},
};

BOOST_DATA_TEST_CASE_F(node_fixture, a_breach_of_the_protocol_ends_the_connection,
                       boost::unit_test::data::make(breaches), given) {
    scripted_peer peer(after_login(given.bytes));
    connect(peer.uri());
    BOOST_TEST(accepted(1, {"GET", "k"}));
    node->flush();
    BOOST_TEST(run_until([&] { return node->report().disconnects == 1; }));
    BOOST_TEST(log.count() == 1u);
    const auto report = node->report();
    BOOST_TEST((report.last_error == errc::protocol_error));
    BOOST_TEST(report.last_error_text.starts_with(node->name()));
    BOOST_TEST(report.last_error_text.find(given.said_of_it) != std::string::npos);
    BOOST_TEST(await_state(health::ready)); // on a new connection
    BOOST_TEST(events.heard({"connected", "down", "connected"}));
}

BOOST_AUTO_TEST_CASE(a_connection_closed_within_a_reply_fails_the_request) {
    auto script = after_login("$100\r\nonly the beginning");
    script.close_after = hello_reply.size() + 6 + 15;
    scripted_peer peer(script);
    connect(peer.uri());
    BOOST_TEST(accepted(1, {"GET", "k"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_unavailable, ""}));
    BOOST_TEST(node->report().last_error_text.ends_with("closed the connection"));
}

// Which is what one does that waits for TLS.
BOOST_AUTO_TEST_CASE(a_server_that_closes_without_a_word_may_expect_tls) {
    peer_script script;
    script.answer = [](const command_parser::command&) { return std::string("never sent"); };
    script.close_after = 0;
    scripted_peer peer(script);
    start(peer.uri());
    BOOST_REQUIRE(await_state(health::unavailable));
    BOOST_TEST((node->report().last_error == errc::node_unavailable));
    BOOST_TEST(node->report().last_error_text.ends_with(
        "closed the connection without a word: it may expect TLS (rediss://)"));
}

BOOST_AUTO_TEST_CASE(an_alert_of_tls_is_told_from_other_nonsense) {
    scripted_peer peer(always_answers(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)));
    start(peer.uri());
    BOOST_REQUIRE(await_state(health::unavailable));
    BOOST_TEST((node->report().last_error == errc::protocol_error));
    BOOST_TEST(
        node->report().last_error_text.ends_with("answers in TLS, which takes an address with rediss://"));
}

// News may get lost on the way, and so may what confirms a subscription. The replies stay with their
// commands.
BOOST_AUTO_TEST_CASE(lost_confirmations_leave_every_reply_to_its_command) {
    auto script = after_login("");
    script.answer = [login = script.answer](const command_parser::command& command) -> std::string {
        if (command[0] == "SUBSCRIBE" || command[0] == "UNSUBSCRIBE") return "";
        if (command[0] == "PTTL") return ":-2\r\n";
        if (command[0] == "CLIENT" && command[1] == "TRACKING") return "+OK\r\n";
        if (command[0] == "GET") return "+value\r\n";
        return login(command);
    };
    scripted_peer peer(script);
    connect(peer.uri());
    const auto ask = [&](std::uint32_t number, std::initializer_list<std::string_view> words,
                         bool subscription) {
        std::string bytes;
        resp::append_command(bytes, words);
        BOOST_TEST((node->submit({.command = bytes,
                                  .receiver = &log,
                                  .tag = node::reply_tag::numbered(number),
                                  .deadline = time::real_time().now() + 5s,
                                  .subscription = subscription}) == errc{}));
    };
    ask(1, {"SUBSCRIBE", "c"}, true);
    ask(2, {"PTTL", "k"}, false);
    ask(3, {"UNSUBSCRIBE", "c"}, true);
    ask(4, {"CLIENT", "TRACKING", "ON"}, false);
    ask(5, {"GET", "k"}, false);
    node->flush();
    BOOST_REQUIRE(await_outcomes(5));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::protocol_error, ""}));
    BOOST_TEST((log.outcomes.at(1) == request_outcome{2, errc{}, "-2"}));
    BOOST_TEST((log.outcomes.at(2) == request_outcome{3, errc::protocol_error, ""}));
    BOOST_TEST((log.outcomes.at(3) == request_outcome{4, errc{}, "OK"}));
    BOOST_TEST((log.outcomes.at(4) == request_outcome{5, errc{}, "value"}));
}

BOOST_AUTO_TEST_CASE(a_connection_closed_within_the_handshake_is_made_again) {
    auto script = after_login("+OK\r\n");
    script.close_after = hello_reply.size() / 2;
    scripted_peer peer(script);
    start(peer.uri());
    BOOST_TEST(accepted(1, {"GET", "k"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_unavailable, ""}));
    BOOST_TEST(run_until([&] { return peer.accepted_connections() >= 3; }));
}

BOOST_AUTO_TEST_CASE(an_echo_of_the_password_is_not_repeated) {
    peer_script script;
    script.answer = [](const command_parser::command& words) {
        std::string error = "-ERR";
        for (const auto& word : words)
            error += " " + word;
        return error + "\r\n";
    };
    scripted_peer peer(script);
    start("redis://alice:s3cret@127.0.0.1:" + std::to_string(peer.port()));
    BOOST_TEST(await_state(health::unavailable));
    BOOST_TEST(node->report().last_error_text.find("s3cret") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
