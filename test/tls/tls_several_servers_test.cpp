// Groups behind Sentinels, and clusters, whose servers all speak TLS.

#include "client/lock_fixture.hpp"
#include "support/authority.hpp"
#include "support/real_cluster.hpp"
#include "support/watched_group.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

struct several_servers_fixture : lock_fixture {
    several_servers_fixture() : lock_fixture(2, {.tls = tls_of_servers()}) {}

    static redis_tls tls_of_servers() {
        const certificate_files own = trusted_authority().sign();
        return {.certificate = own.certificate, .key = own.key, .authority = trusted_authority().file()};
    }
    config settings(const std::string& first, const std::string& authority) const {
        config c = lock_fixture::settings();
        c.nodes.insert(c.nodes.begin(), first);
        c.tls.ca_file = authority;
        return c;
    }
    void expect_ready(const client& locks) { BOOST_REQUIRE(becomes_ready(locks, nodes.size() + 1)); }
    /// Of the first node.
    void expect_refusal(const client& locks) {
        BOOST_TEST(run_until([&] { return locks.metrics().nodes.front().last_error == errc::tls_failed; }));
        const std::string said = locks.metrics().nodes.front().last_error_text;
        BOOST_TEST(said.find("certificate") != std::string::npos, said);
    }
};

BOOST_FIXTURE_TEST_SUITE(tls_several_servers, several_servers_fixture)

BOOST_AUTO_TEST_CASE(a_group_is_asked_and_followed_in_private) {
    watched_group group({.password = "secret", .tls = tls_of_servers()});
    group.await_ready();
    client locks(context.get_executor(), settings(group.uri(), trusted_authority().file()));
    expect_ready(locks);
    lease held = lock(locks, "key", patiently());
    // Two of three are a majority: the group may be the last that has it.
    BOOST_TEST(run_until([&] { return group.server(0).exists("key"); }));
    group.begin_fail_over();
    const std::string promoted = "127.0.0.1:" + std::to_string(group.server(1).port());
    BOOST_TEST(run_until([&] {
        const node_metrics seen = locks.metrics().nodes.front();
        return seen.master == promoted && seen.state == "ready";
    }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    close(locks);
}

BOOST_AUTO_TEST_CASE(sentinels_without_the_right_authority_are_not_heeded) {
    authority another("Another Authority");
    watched_group group({.tls = tls_of_servers()});
    group.await_ready();
    const client locks(context.get_executor(), settings(group.uri(), another.file()));
    expect_refusal(locks);
}

BOOST_AUTO_TEST_CASE(a_cluster_is_asked_in_private) {
    real_cluster cluster({.password = "secret", .tls = tls_of_servers()});
    client locks(context.get_executor(), settings(cluster.uri({0}), trusted_authority().file()));
    expect_ready(locks);
    for (int i = 0; i < 12; ++i) {
        const std::string key = "key" + std::to_string(i);
        lease held = lock(locks, key, patiently());
        BOOST_TEST(run_until([&] { return cluster.master(cluster.first_owner(key)).exists(key); }));
        BOOST_TEST(!unlock(held));
    }
    close(locks);
}

BOOST_AUTO_TEST_CASE(a_cluster_without_the_right_authority_is_not_heeded) {
    authority another("Another Authority");
    real_cluster cluster({.tls = tls_of_servers()});
    const client locks(context.get_executor(), settings(cluster.uri(), another.file()));
    expect_refusal(locks);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
