#include "lock_fixture.hpp"
#include "network/transport/encryption.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>

namespace redlock::test {
namespace {

namespace data = boost::unit_test::data;

// What the constructor says of a configuration.
struct refusal {
    std::error_code code;
    std::string text;
};

refusal refusal_of(const config& c) {
    asio::io_context context;
    try {
        const client locks(context.get_executor(), c);
    } catch (const std::system_error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

refusal refusal_of(std::vector<std::string> nodes) {
    config c;
    c.nodes = std::move(nodes);
    return refusal_of(c);
}

BOOST_AUTO_TEST_SUITE(configuration)

constexpr const char* bad_uris[] = {"",
                                    "127.0.0.1:6379",
                                    "127.0.0.1",
                                    "http://127.0.0.1:6379",
                                    "redis:",
                                    "redis://",
                                    "redis://:6379",
                                    "redis://127.0.0.1:0",
                                    "redis://127.0.0.1:65536",
                                    "redis://127.0.0.1:port",
                                    "redis://127.0.0.1:6379/one",
                                    "redis://127.0.0.1:6379/-1",
                                    "redis://127.0.0.1:6379/0/1",
                                    "redis://127.0.0.1:6379?timeout=1",
                                    "redis://127.0.0.1:6379#0",
                                    "redis://us er@127.0.0.1",
                                    "redis://a%zz:b@127.0.0.1",
                                    "redis://[::1",
                                    "unix://",
                                    "unix://relative/path",
                                    "unix:///tmp/socket?db=x",
                                    "unix:///tmp/socket?database=1"};

BOOST_DATA_TEST_CASE(an_address_that_cannot_be_understood_is_refused, data::make(bad_uris), uri) {
    const refusal r = refusal_of({"redis://127.0.0.1:7001", uri, "redis://127.0.0.1:7003"});
    BOOST_TEST((r.code == errc::invalid_uri));
    // It names the place in the list.
    BOOST_TEST(r.text.find("nodes[1]") != std::string::npos);
    // And says what is wrong once.
    const std::string meaning = make_error_code(errc::invalid_uri).message();
    BOOST_TEST(r.text.find(meaning) == r.text.rfind(meaning));
}

BOOST_AUTO_TEST_CASE(no_error_shows_a_password) {
    for (const char* uri : {"redis://user:hunter2@127.0.0.1:port", "redis://user:hunter2@",
                            "redis://u:hunter2@[::1", "redis://user:hunter2@127.0.0.1/x",
                            "http://user:hunter2@127.0.0.1", "redis://user:hunter2@127.0.0.1:99999",
                            "redis://:hunter2@@127.0.0.1", "unix://user:hunter2@/tmp/socket?db=x",
                            "redis://user:hunter2%zz@127.0.0.1", "user:hunter2@127.0.0.1:6379"}) {
        const refusal r = refusal_of({std::string(uri)});
        BOOST_TEST((r.code == errc::invalid_uri), uri);
        BOOST_TEST(r.text.find("hunter2") == std::string::npos, r.text);
    }
    const refusal twice = refusal_of({"redis://user:hunter2@127.0.0.1", "redis://127.0.0.1:6379"});
    BOOST_TEST((twice.code == errc::duplicate_node));
    BOOST_TEST(twice.text.find("hunter2") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_same_server_twice_is_refused) {
    const std::string uri = "redis://127.0.0.1:7001";
    for (const std::string other :
         {"redis://127.0.0.1:7001", "redis://127.0.0.1:7001/", "redis://127.0.0.1:7001/0",
          "redis://127.0.0.1:7001/5", "redis://user:word@127.0.0.1:7001"}) {
        const refusal r = refusal_of({uri, "redis://127.0.0.1:7002", other});
        BOOST_TEST((r.code == errc::duplicate_node), other);
        BOOST_TEST(r.text.find("127.0.0.1:7001") != std::string::npos);
    }
    BOOST_TEST((refusal_of({"redis://LOCALHOST", "redis://localhost:6379"}).code == errc::duplicate_node));
    BOOST_TEST((refusal_of({"unix:///tmp/a", "unix:///tmp/a?db=1"}).code == errc::duplicate_node));
    BOOST_TEST(!refusal_of({"redis://127.0.0.1:7001", "redis://127.0.0.1:7002", "unix:///tmp/a"}).code);
}

BOOST_AUTO_TEST_CASE(there_is_at_least_one_node_and_at_most_63) {
    BOOST_TEST((refusal_of(std::vector<std::string>{}).code == errc::invalid_option));
    std::vector<std::string> many;
    while (many.size() < 63)
        many.push_back("redis://127.0.0.1:" + std::to_string(7000 + many.size()));
    BOOST_TEST(!refusal_of(many).code);
    many.push_back("redis://127.0.0.1:6999");
    BOOST_TEST((refusal_of(many).code == errc::invalid_option));
}

BOOST_AUTO_TEST_CASE(an_address_for_tls_is_refused_where_the_library_has_none) {
    const refusal r = refusal_of({"redis://127.0.0.1:7001", "rediss://user:hunter2@127.0.0.1:7002"});
    if (network::has_encryption()) {
        BOOST_TEST(!r.code);
    } else {
        BOOST_TEST((r.code == errc::invalid_uri));
        BOOST_TEST(r.text.starts_with("config::nodes[1]: this library is built without TLS"), r.text);
    }
    // With TLS or without, it is the same server.
    BOOST_TEST((refusal_of({"rediss://127.0.0.1:7001", "rediss://127.0.0.1:7001/1"}).code ==
                (network::has_encryption() ? errc::duplicate_node : errc::invalid_uri)));
}

struct bad_field {
    const char* name;
    std::function<void(config&)> spoil;
};

const bad_field bad_fields[] = {
    {"node_timeout", [](config& c) { c.node_timeout = 0ms; }},
    {"node_timeout", [](config& c) { c.node_timeout = -1ms; }},
    {"node_timeout", [](config& c) { c.node_timeout = 60'001ms; }},
    {"node_timeout", [](config& c) { c.node_timeout = forever; }},
    {"key_prefix", [](config& c) { c.key_prefix = std::string(513, 'p'); }},
    {"client_name", [](config& c) { c.client_name = "two words"; }},
    {"client_name", [](config& c) { c.client_name = "line\nfeed"; }},
    {"client_name", [](config& c) { c.client_name = std::string(65, 'n'); }},
    {"drift_factor", [](config& c) { c.drift_factor = -0.01; }},
    {"drift_factor", [](config& c) { c.drift_factor = 0.5; }},
    {"drift_factor", [](config& c) { c.drift_factor = std::numeric_limits<double>::quiet_NaN(); }},
    {"drift_floor", [](config& c) { c.drift_floor = -1ms; }},
    {"max_inflight", [](config& c) { c.max_inflight = 0; }},
    {"max_inflight", [](config& c) { c.max_inflight = 65'537; }},
    {"handoff_limit", [](config& c) { c.handoff_limit = 0; }},
    {"restart_guard", [](config& c) { c.restart_guard = -1ms; }},
    {"fence_retention", [](config& c) { c.fence_retention = 0h; }},
};

BOOST_AUTO_TEST_CASE(every_field_has_limits_and_the_error_names_it) {
    for (const bad_field& bad : bad_fields) {
        config c;
        c.nodes = {"redis://127.0.0.1:7001"};
        BOOST_TEST(!refusal_of(c).code);
        bad.spoil(c);
        const refusal r = refusal_of(c);
        BOOST_TEST((r.code == errc::invalid_option), bad.name);
        BOOST_TEST(r.text.find(bad.name) != std::string::npos, r.text);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
