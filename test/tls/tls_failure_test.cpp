#include "tls/session_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

// What is said when there can be no connection, or no longer.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using std::chrono::hours;

struct failing_session : session_fixture {
    using session_fixture::session_fixture;

    failing_session(const certificate_request& of_server, int version)
        : session_fixture({.own = trusted_authority().sign(of_server), .version = version},
                          trusting(trusted_authority())) {}

    bool fails() { return shake_hands() == progress::failed; }
    bool says(std::string_view words) const { return reason().find(words) != std::string::npos; }
    bool is(errc why) const { return client->failure() && client->failure()->why == why; }
};

BOOST_AUTO_TEST_SUITE(tls_failure_suite)

BOOST_DATA_TEST_CASE(an_authority_that_is_not_trusted, data::make(both_versions), version) {
    authority other("Somebody\n\"Else\"");
    failing_session f({.own = other.sign(), .version = version}, trusting(trusted_authority()));
    BOOST_TEST(f.fails());
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.says("has a certificate of an authority that is not trusted, \""), f.reason());
    BOOST_TEST(f.says("Somebody"), f.reason());
    BOOST_TEST(!f.says("\n"));
    BOOST_TEST(!f.client->outgoing().empty() + f.server->has_failed()); // it was told
}

BOOST_DATA_TEST_CASE(a_certificate_for_another_name, data::make(both_versions), version) {
    failing_session f({.names = "DNS:a.example,DNS:b.example,IP:10.0.0.1,IP:2001:db8::1,DNS:c.example"},
                      version);
    BOOST_TEST(f.fails());
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.reason() ==
               "has a certificate for \"a.example\", \"b.example\", \"10.0.0.1\", \"2001:db8:0:0:0:0:0:1\", "
               "..., not for \"localhost\" (config::tls.server_name)");
}

BOOST_AUTO_TEST_CASE(a_certificate_without_names) {
    failing_session f({.names = "", .common_name = "a\"\n" + std::string(50, 'n')}, TLS1_3_VERSION);
    BOOST_TEST(f.fails());
    BOOST_TEST(f.says("has a certificate for \"a\\\"\\x0annnn"), f.reason());
    failing_session none({.names = "", .common_name = ""}, TLS1_3_VERSION);
    BOOST_TEST(none.fails());
    BOOST_TEST(none.says("has a certificate for no name, not for \"localhost\""), none.reason());
}

BOOST_AUTO_TEST_CASE(an_address_is_looked_for_among_addresses) {
    session_fixture f;
    f.begin({.name = "127.0.0.1"});
    BOOST_TEST((f.shake_hands() == progress::complete));
    BOOST_TEST(f.server->name_asked_for() == "");
    f.begin({.name = "127.0.0.2"});
    BOOST_TEST((f.shake_hands() == progress::failed));
    BOOST_TEST(f.reason() == "has a certificate for \"localhost\", \"127.0.0.1\", not for \"127.0.0.2\" "
                             "(config::tls.server_name)");
}

BOOST_AUTO_TEST_CASE(a_wildcard_stands_for_one_label) {
    session_fixture f({.own = trusted_authority().sign({.names = "DNS:*.example.org"})},
                      trusting(trusted_authority()));
    f.begin({.name = "node.example.org"});
    BOOST_TEST((f.shake_hands() == progress::complete));
    f.begin({.name = "a.node.example.org"});
    BOOST_TEST((f.shake_hands() == progress::failed));
}

BOOST_DATA_TEST_CASE(a_certificate_that_expired, data::make(both_versions), version) {
    failing_session f({.valid_from = -hours(48), .valid_until = -hours(24)}, version);
    BOOST_TEST(f.fails());
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.says("has a certificate that expired on "), f.reason());
    BOOST_TEST(f.says(" GMT"), f.reason());
}

BOOST_AUTO_TEST_CASE(a_certificate_that_is_not_valid_yet) {
    failing_session f({.valid_from = hours(24), .valid_until = hours(48)}, TLS1_3_VERSION);
    BOOST_TEST(f.fails());
    BOOST_TEST(f.says("has a certificate that is not valid before "), f.reason());
}

BOOST_DATA_TEST_CASE(nothing_is_verified_on_demand, data::make(both_versions), version) {
    authority other("Somebody Else");
    session_fixture f(
        {.own = other.sign({.names = "DNS:else", .valid_until = -hours(0)}), .version = version},
        trusting(trusted_authority()));
    f.begin({.name = "localhost", .verify = false});
    BOOST_TEST((f.shake_hands() == progress::complete));
    BOOST_TEST(f.server->name_asked_for() == "localhost");
}

// In TLS 1.3 the server learns of it when the client has what it needs to go on.
BOOST_DATA_TEST_CASE(a_client_without_a_certificate, data::make(both_versions), version) {
    failing_session f({.own = trusted_authority().sign(),
                       .version = version,
                       .client_authority = trusted_authority().file()},
                      trusting(trusted_authority()));
    progress made = f.shake_hands();
    if (version == TLS1_3_VERSION) {
        BOOST_TEST((made == progress::complete));
        f.client->write("HELLO 3");
        f.send();
        f.receive(made);
    }
    BOOST_TEST((made == progress::failed));
    BOOST_TEST(f.is(errc::tls_failed));
    BOOST_TEST(f.reason() ==
               "wants a certificate of its clients, and none was given (config::tls.certificate_file)");
    BOOST_TEST(f.client->write("more") == 0u);
}

tls_options showing(const certificate_files& own) {
    tls_options options = trusting(trusted_authority());
    options.certificate_file = own.certificate;
    options.key_file = own.key;
    return options;
}

BOOST_DATA_TEST_CASE(a_client_with_a_certificate, data::make(both_versions), version) {
    authority other("Somebody Else");
    const tls_server_options server{.own = trusted_authority().sign(),
                                    .version = version,
                                    .client_authority = trusted_authority().file()};
    session_fixture welcome(server, showing(trusted_authority().sign({.names = ""})));
    BOOST_TEST((welcome.shake_hands() == progress::complete));
    welcome.server->say("x");
    BOOST_TEST(welcome.receive() == "x");
    failing_session f(server, showing(other.sign({.names = ""})));
    progress made = f.shake_hands();
    if (version == TLS1_3_VERSION) f.receive(made);
    BOOST_TEST((made == progress::failed));
    BOOST_TEST(f.says("refused our certificate (config::tls.certificate_file): unknown CA"), f.reason());
}

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
