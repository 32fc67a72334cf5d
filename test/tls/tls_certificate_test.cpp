#include "tls/session_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

// Whose certificate is taken, and what is said of the others.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using std::chrono::hours;

BOOST_AUTO_TEST_SUITE(tls_certificate)

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

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
