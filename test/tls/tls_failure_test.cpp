#include "tls/session_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

// What is said when there can be no connection, or no longer.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(tls_failure_suite)

BOOST_AUTO_TEST_CASE(no_version_in_common) {
    failing_session f;
    SSL_CTX_set_max_proto_version(f.client_context.get(), TLS1_2_VERSION);
    f.begin();
    BOOST_TEST(f.fails());
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.reason() == "speaks no version of TLS that this client speaks");
}

struct foreign_greeting {
    const char* bytes;
    const char* reason;
};
const foreign_greeting all_foreign_greetings[] = {
    {"-ERR unknown command\r\n", "answers without TLS: it expects plain connections (redis://)"},
    {"+OK\r\n", "answers without TLS: it expects plain connections (redis://)"},
    {"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak TLS"},
    {"SSH-2.0-OpenSSH_9.2\r\n", "does not speak TLS"},
};

BOOST_AUTO_TEST_CASE(a_server_that_speaks_no_tls) {
    failing_session f;
    for (const foreign_greeting& foreign : all_foreign_greetings) {
        f.begin();
        progress made = f.client->shake_hands();
        f.give_client(foreign.bytes,
                      [&] { return (made = f.client->shake_hands()) == progress::wants_input; });
        BOOST_TEST((made == progress::failed));
        BOOST_TEST(f.is(errc::tls_failed));
        BOOST_TEST(f.reason() == foreign.reason);
    }
}

BOOST_AUTO_TEST_CASE(what_is_spoken_within_has_its_own_words) {
    failing_session f;
    const network::spoken web{.name = "h2", .plain_scheme = "web", .first_bytes = "H"};
    f.begin({.name = "localhost", .speaks = web});
    f.client->shake_hands();
    BOOST_TEST(f.reason() == "has sent nothing in TLS: it may expect plain connections (web://)");
    f.give_client("HTTP/1.1 400 Bad Request\r\n\r\n",
                  [&] { return f.client->shake_hands() == progress::wants_input; });
    BOOST_TEST(f.reason() == "answers without TLS: it expects plain connections (web://)");
}

BOOST_AUTO_TEST_CASE(a_server_that_says_nothing) {
    failing_session f;
    f.client->shake_hands();
    BOOST_TEST(f.is(errc::node_unavailable));
    BOOST_TEST(f.reason() == "has sent nothing in TLS: it may expect plain connections (redis://)");
    f.client->input_ended();
    BOOST_TEST((f.client->shake_hands() == progress::failed));
    BOOST_TEST(f.reason() == "closed the connection during the TLS handshake");
}

// At every byte of the handshake: what comes then is an end, and no hang.
BOOST_DATA_TEST_CASE(a_handshake_that_breaks_off, data::make(both_versions), version) {
    session_fixture whole(version);
    whole.client->shake_hands();
    whole.send();
    const std::size_t size = whole.server->outgoing().size();
    for (std::size_t kept = 0; kept < size; kept += 7) {
        failing_session f(version);
        progress made = f.client->shake_hands();
        f.send();
        f.give_client(f.server->outgoing().substr(0, kept),
                      [&] { return (made = f.client->shake_hands()) == progress::wants_input; });
        BOOST_TEST_REQUIRE((made == progress::wants_input));
        f.client->input_ended();
        BOOST_TEST((f.client->shake_hands() == progress::failed));
        BOOST_TEST(f.is(errc::node_unavailable));
    }
}

BOOST_DATA_TEST_CASE(bytes_that_were_changed_are_never_plaintext, data::make(both_versions), version) {
    std::mt19937 draw(1);
    for (int run = 0; run < 100; ++run) {
        failing_session f(version);
        f.shake_hands();
        f.receive();
        f.server->say("reply");
        std::string bytes = f.server->outgoing();
        bytes[5 + draw() % (bytes.size() - 5)] ^= static_cast<char>(1 << draw() % 8);
        progress made{};
        f.give_client(bytes, [&] {
            BOOST_TEST(f.read_all(made).empty());
            return true;
        });
        BOOST_TEST((made == progress::failed));
        BOOST_TEST(f.is(errc::tls_failed));
        BOOST_TEST(f.says("does not keep to TLS: "), f.reason());
    }
}

// Whatever comes instead of a handshake ends, without an error of memory that a sanitizer would see.
BOOST_DATA_TEST_CASE(garbage_in_the_handshake, data::make(both_versions), version) {
    std::mt19937 draw(2);
    for (int run = 0; run < 300; ++run) {
        failing_session f(version);
        f.client->shake_hands();
        f.send();
        std::string bytes = f.server->outgoing();
        for (auto changes = 1 + draw() % 3; changes > 0; --changes)
            bytes[draw() % bytes.size()] = static_cast<char>(draw());
        progress made{};
        f.give_client(bytes, [&] { return (made = f.client->shake_hands()) == progress::wants_input; });
        if (made == progress::wants_input) {
            f.client->input_ended();
            made = f.client->shake_hands();
        }
        BOOST_TEST(((made == progress::failed && !f.reason().empty()) || made == progress::complete));
        BOOST_TEST(f.reason().size() < 600u);
    }
}

BOOST_DATA_TEST_CASE(a_record_that_is_cut, data::make(both_versions), version) {
    failing_session f(version);
    f.shake_hands();
    f.receive();
    f.server->say("whole");
    f.server->say("cut");
    std::string bytes = f.server->outgoing();
    bytes.pop_back();
    progress made{};
    std::string heard;
    f.give_client(bytes, [&] {
        heard += f.read_all(made);
        return true;
    });
    BOOST_TEST(heard == "whole");
    f.client->input_ended();
    std::size_t n = 0;
    std::string space(10, '\0');
    BOOST_TEST((f.client->read(space, n) == progress::failed));
    BOOST_TEST(f.is(errc::node_unavailable));
    BOOST_TEST(f.reason() == "closed the connection in the middle of a TLS record");
}

// Whatever is said between is refused: who is at the other end is settled once. Servers take that for an end.
BOOST_AUTO_TEST_CASE(a_handshake_is_not_begun_anew) {
    failing_session f(TLS1_2_VERSION);
    f.shake_hands();
    f.server->ask_for_new_handshake();
    progress made{};
    BOOST_TEST(f.receive(made).empty());
    BOOST_TEST((made == progress::wants_input));
    f.send();
    BOOST_TEST(f.server->has_failed());
    BOOST_TEST(f.receive(made).empty());
    BOOST_TEST((made == progress::failed));
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.reason() == "refused the TLS connection: handshake failure");
}

// An alert ends the connection at any time, and what came before it has been said.
BOOST_DATA_TEST_CASE(an_alert_amid_replies_ends_the_connection, data::make(both_versions), version) {
    failing_session f(version);
    f.shake_hands();
    f.receive();
    f.server->say("whole");
    f.client->write("a command");
    std::string bytes(f.client->outgoing());
    f.client->sent(bytes.size());
    bytes.back() ^= 1;
    f.server->receive(bytes);
    BOOST_TEST(f.server->has_failed());
    progress made{};
    BOOST_TEST(f.receive(made) == "whole");
    BOOST_TEST((made == progress::failed));
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.reason() == "refused the TLS connection: bad record mac");
    BOOST_TEST(f.client->write("more") == 0u);
    f.client->input_ended(); // says no more than that
    BOOST_TEST(f.is(errc::tls_failed));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
