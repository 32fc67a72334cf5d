#include "client/failure.hpp"
#include "support/scripted_peer.hpp"
#include "tls/tls_nodes.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <iterator>

// What a client says of real servers that it cannot be connected to.

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;
using std::chrono::hours;

std::string localhost(redis_server& node) { return "rediss://localhost:" + std::to_string(node.port()); }

BOOST_AUTO_TEST_SUITE(tls_refusal_suite)

BOOST_DATA_TEST_CASE(an_authority_that_is_not_trusted, data::make(both_protocols), version) {
    tls_nodes f(speaking(version), 1);
    const authority other("Somebody Else");
    const node_metrics seen = f.failure_of(f.nodes[0].uri(), {.ca_file = other.file()});
    BOOST_TEST(seen.last_error == errc::tls_failed);
    BOOST_TEST(seen.last_error_text ==
               f.nodes[0].uri() + "/0 has a certificate of an authority that is not trusted, "
                                  "\"/CN=Test Authority\" (config::tls.ca_file names those that are)");
    // So are those that the system trusts.
    BOOST_TEST(f.failure_of(f.nodes[0].uri(), {}).last_error_text == seen.last_error_text);
}

BOOST_DATA_TEST_CASE(a_certificate_for_another_name, data::make(both_protocols), version) {
    tls_nodes f(speaking(version, with_tls({.names = "DNS:redis.example"})), 1);
    for (const std::string& uri : {f.nodes[0].uri(), localhost(f.nodes[0])}) {
        const node_metrics seen = f.failure_of(uri);
        BOOST_TEST(seen.last_error == errc::tls_failed);
        const bool numeric = uri == f.nodes[0].uri();
        BOOST_TEST(seen.last_error_text == uri + "/0 has a certificate for \"redis.example\", not for \"" +
                                               (numeric ? "127.0.0.1" : "localhost") +
                                               "\" (config::tls.server_name)");
    }
    config c = f.settings();
    c.tls.server_name = "redis.example";
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(locks));
}

BOOST_DATA_TEST_CASE(a_certificate_that_expired, data::make(both_protocols), version) {
    tls_nodes f(speaking(version, with_tls({.valid_from = -hours(48), .valid_until = -hours(24)})), 1);
    const node_metrics seen = f.failure_of(f.nodes[0].uri());
    BOOST_TEST(seen.last_error == errc::tls_failed);
    BOOST_TEST(seen.last_error_text.starts_with(f.nodes[0].uri() + "/0 has a certificate that expired on "),
               seen.last_error_text);
    config c = f.settings();
    c.tls.verify = false;
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(locks));
}

BOOST_DATA_TEST_CASE(a_client_without_a_certificate, data::make(both_protocols), version) {
    tls_nodes f(speaking(version, with_tls({}, true)), 1);
    const node_metrics seen = f.failure_of(f.nodes[0].uri());
    BOOST_TEST(seen.last_error == errc::tls_failed);
    BOOST_TEST(seen.last_error_text == f.nodes[0].uri() +
                                           "/0 wants a certificate of its clients, and none was given "
                                           "(config::tls.certificate_file)");
}

BOOST_DATA_TEST_CASE(a_client_with_a_certificate, data::make(both_protocols), version) {
    tls_nodes f(speaking(version, with_tls({}, true)), 1);
    config c = f.settings();
    const certificate_files own = trusted_authority().sign({.names = ""});
    c.tls.certificate_file = own.certificate;
    c.tls.key_file = own.key;
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(locks));
    authority other("Somebody Else");
    const certificate_files foreign = other.sign({.names = ""});
    c.tls.certificate_file = foreign.certificate;
    c.tls.key_file = foreign.key;
    const node_metrics seen = f.failure_of(c);
    BOOST_TEST(seen.last_error == errc::tls_failed);
    BOOST_TEST(seen.last_error_text == f.nodes[0].uri() + "/0 refused our certificate "
                                                          "(config::tls.certificate_file): unknown CA");
}

BOOST_AUTO_TEST_CASE(a_server_without_tls) {
    lock_fixture plain(1);
    tls_nodes f(with_tls(), 1);
    const node_metrics seen = f.failure_of("rediss://127.0.0.1:" + std::to_string(plain.nodes[0].port()));
    // Redis waits for the end of a line.
    BOOST_TEST(seen.last_error == errc::node_unavailable);
    BOOST_TEST(seen.last_error_text.ends_with("/0 did not complete the handshake within 3000 ms and has sent "
                                              "nothing in TLS: it may expect plain connections (redis://)"),
               seen.last_error_text);
}

BOOST_AUTO_TEST_CASE(a_client_without_tls) {
    tls_nodes f(with_tls(), 1);
    const std::string uri = "redis://127.0.0.1:" + std::to_string(f.nodes[0].port());
    const node_metrics seen = f.failure_of(uri);
    BOOST_TEST(seen.last_error == errc::node_unavailable);
    BOOST_TEST(seen.last_error_text ==
               uri + "/0 closed the connection without a word: it may expect TLS (rediss://)");
}

struct strange_server {
    const char* bytes;
    const char* reason;
    errc why;
};
const strange_server strange_servers[] = {
    {"-ERR unknown command\r\n", "answers without TLS: it expects plain connections (redis://)",
     errc::tls_failed},
    {"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak TLS", errc::tls_failed},
    {"\x16\x03\x03\x00\x04garbage", "does not keep to TLS: ", errc::tls_failed},
    {"\x15\x03\x03", "closed the connection during the TLS handshake", errc::node_unavailable},
};

BOOST_AUTO_TEST_CASE(a_server_that_speaks_something_else) {
    tls_nodes f(with_tls(), 1);
    for (const strange_server& strange : strange_servers) {
        peer_script script;
        const std::string_view bytes = strange.bytes;
        // The length of a record has a zero byte in it.
        script.greeting =
            bytes.starts_with("\x16") ? std::string("\x16\x03\x03\x00\x04garbage", 12) : std::string(bytes);
        script.close_after = script.greeting.size();
        scripted_peer peer(script);
        const node_metrics seen = f.failure_of("rediss://127.0.0.1:" + std::to_string(peer.port()));
        BOOST_TEST(seen.last_error == strange.why, seen.last_error_text);
        BOOST_TEST(seen.last_error_text.find(strange.reason) != std::string::npos, seen.last_error_text);
    }
    scripted_peer alerting(always_answers(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)));
    const node_metrics seen = f.failure_of(alerting.uri());
    BOOST_TEST(seen.last_error == errc::protocol_error);
    BOOST_TEST(seen.last_error_text.ends_with("answers in TLS, which takes an address with rediss://"),
               seen.last_error_text);
}

struct stall {
    std::size_t sent; ///< of a record that is longer
    const char* reason;
};
const stall stalls[] = {
    {0, "and has sent nothing in TLS: it may expect plain connections (redis://)"},
    {1, "and has not completed the handshake of TLS"},
    {5, "and has not completed the handshake of TLS"},
    {100, "and has not completed the handshake of TLS"},
};

// Each costs its own vote, for as long as an attempt may take, and is tried again.
BOOST_AUTO_TEST_CASE(a_handshake_that_stalls_ends_with_its_attempt) {
    tls_nodes f(with_tls(), std::size(stalls) + 1);
    config c = f.settings();
    c.node_timeout = 2s;
    std::deque<scripted_peer> peers;
    for (const stall& s : stalls) {
        peer_script script;
        script.greeting = std::string("\x16\x03\x03\x02\x00\x02\x00\x01\xfc", 9) + std::string(91, '\0');
        script.greeting.resize(s.sent);
        peers.emplace_back(script);
        c.nodes.push_back("rediss://127.0.0.1:" + std::to_string(peers.back().port()));
    }
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(locks));
    BOOST_TEST(f.run_until([&] { return !f.try_lock(locks, "key"); }));
    for (std::size_t i = 0; i < peers.size(); ++i) {
        BOOST_TEST(f.run_until([&] { return peers[i].accepted_connections() > 1; }));
        const node_metrics seen = locks.metrics().nodes.at(f.nodes.size() + i);
        BOOST_TEST(seen.last_error == errc::node_unavailable);
        BOOST_TEST(seen.last_error_text ==
                   seen.node + " did not complete the handshake within 2000 ms " + stalls[i].reason);
    }
}

// A call says it, too: all nodes have that one reason, and waiting would not cure it.
BOOST_AUTO_TEST_CASE(a_call_names_each_node_and_its_reason) {
    tls_nodes f;
    config c = f.settings();
    c.tls.server_name = "redis.example";
    client locks(f.context.get_executor(), c);
    const failure told = failure_of(f, await_lock(locks, "key", once()));
    BOOST_TEST(told.code == errc::tls_failed);
    // Two of three are enough for there to be no majority.
    std::size_t named = 0;
    for (redis_server& node : f.nodes)
        named += told.says(node.uri() + "/0 has a certificate for \"localhost\", \"127.0.0.1\", not for "
                                        "\"redis.example\" (config::tls.server_name)");
    BOOST_TEST(named >= 2u, told.what);
}

BOOST_AUTO_TEST_CASE(a_context_of_the_caller_s) {
    namespace ssl = boost::asio::ssl;
    tls_nodes f(with_tls({}, true), 1);
    const certificate_files own = trusted_authority().sign({.names = ""});
    const auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
    context->use_certificate_chain_file(own.certificate);
    context->use_private_key_file(own.key, ssl::context::pem);
    config c = f.settings();
    c.tls = {.context = context};
    // Asio's verify nothing unless they are told to; here that takes a word of its own.
    BOOST_TEST(f.failure_of(c).last_error_text.find("an authority that is not trusted") != std::string::npos);
    context->load_verify_file(trusted_authority().file());
    client locks(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(locks));
    c.tls.server_name = "redis.example";
    BOOST_TEST(f.failure_of(c).last_error_text.find("not for \"redis.example\"") != std::string::npos);
    c.tls.verify = false;
    client careless(f.context.get_executor(), c);
    BOOST_TEST(f.becomes_ready(careless));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
