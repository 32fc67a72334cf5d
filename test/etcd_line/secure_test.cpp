#include "etcd_line/line_fixture.hpp"
#include "support/authority.hpp"

#include <redlock/tls_options.hpp>

namespace redlock::test {

namespace {

etcd_options with_certificate(const certificate_request& own = {.names = "DNS:localhost,IP:127.0.0.1"},
                              bool asks_clients = false) {
    const certificate_files files = trusted_authority().sign(own);
    etcd_options o;
    o.tls = etcd_tls{.certificate = files.certificate,
                     .key = files.key,
                     .authority = trusted_authority().file(),
                     .asks_clients = asks_clients};
    return o;
}

etcd::line_settings encrypted(std::uint16_t port, const tls_options& tls) {
    etcd::line_settings s = to_ports({port});
    s.tls = network::make_encryption(tls, etcd::spoken_by_etcd);
    return s;
}

tls_options trusting_members() { return {.ca_file = trusted_authority().file()}; }

/// How the first attempt fails.
line_loop::loss first_loss(etcd::line_settings s) {
    line_fixture l(std::move(s));
    l.loop.start();
    BOOST_TEST_REQUIRE(l.loop.loses());
    return l.loop.losses[0];
}

} // namespace

BOOST_AUTO_TEST_SUITE(secure_suite)

BOOST_AUTO_TEST_CASE(calls_go_over_tls) {
    member_fixture m(with_certificate());
    line_fixture l(encrypted(m.server.port(), trusting_members()));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("key", "value"));
    BOOST_TEST(l.range("key").content.found.size() == 1u);
    std::vector<result_pointer> all;
    l.loop.turn([&] {
        for (int i = 0; i < 1000; ++i) {
            all.push_back(std::make_shared<call_result>());
            l.loop.line().submit(*new asked_call(etcd::methods::put, put("key"), all.back()));
        }
    });
    for (const result_pointer& each : all)
        BOOST_TEST_REQUIRE((l.ends(each) && each->response.has_value()));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_certificate_is_told) {
    member_fixture m(with_certificate({.names = "DNS:elsewhere,IP:127.0.0.1"}));
    const authority other("Another Authority");
    const auto unknown = first_loss(encrypted(m.server.port(), {.ca_file = other.file()}));
    BOOST_TEST((unknown.why == errc::tls_failed));
    BOOST_TEST(unknown.text.starts_with("has a certificate of an authority that is not trusted"));
    tls_options named = trusting_members();
    named.server_name = "localhost";
    const auto misnamed = first_loss(encrypted(m.server.port(), named));
    BOOST_TEST((misnamed.why == errc::tls_failed));
    BOOST_TEST(misnamed.text.find("not for \"localhost\" (config::tls.server_name)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_member_that_asks_for_a_certificate_gets_ours) {
    member_fixture m(with_certificate({.names = "DNS:localhost,IP:127.0.0.1"}, true));
    const auto without = first_loss(encrypted(m.server.port(), trusting_members()));
    BOOST_TEST((without.why == errc::tls_failed));
    const certificate_files own = trusted_authority().sign();
    tls_options with = trusting_members();
    with.certificate_file = own.certificate;
    with.key_file = own.key;
    line_fixture l(encrypted(m.server.port(), with));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("key"));
}

BOOST_AUTO_TEST_CASE(plain_words_to_tls_and_tls_to_plain_words) {
    member_fixture secure(with_certificate());
    const auto plain = first_loss(to_ports({secure.server.port()}));
    BOOST_TEST_MESSAGE(plain.text);
    BOOST_TEST(plain.text.find("etcds://") != std::string::npos);
    member_fixture open;
    const auto encoded = first_loss(encrypted(open.server.port(), trusting_members()));
    BOOST_TEST_MESSAGE(encoded.text);
    BOOST_TEST((encoded.why == errc::tls_failed || encoded.why == errc::node_unavailable));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
