// What a client leaves in the cluster that closes with much in its hands, over a network that loses things.

#include "etcd_fixture.hpp"
#include "support/fault_proxy.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

struct etcd_close_fixture : etcd_fixture {
    client make_distant_client(std::chrono::milliseconds patience) {
        config c = settings(cluster.uri_over({network.port()}));
        c.node_timeout = patience;
        return client(context.get_executor(), c);
    }
    /// So many at a time that none waits for longer than the cluster is given for an answer.
    void lock_many(client& locks, std::size_t count, std::size_t at_once, const lock_options& options) {
        for (std::size_t i = 0; i < count; ++i) {
            held.emplace_back();
            locks.async_lock("key" + std::to_string(held.size()), options, held.back().handler());
            if (i % at_once != at_once - 1 && i + 1 < count) continue;
            for (const auto& each : held)
                complete(each);
        }
        for (const auto& each : held)
            BOOST_REQUIRE(!each.error());
    }

    fault_proxy network{cluster.port()};
    std::deque<outcome<lease>> held;
};

BOOST_FIXTURE_TEST_SUITE(close_suite, etcd_close_fixture)

// The time that closing takes is no matter of how much was held: it is bounded by a few answers.
BOOST_AUTO_TEST_CASE(all_keys_go_with_the_leases_that_they_share) {
    client locks = make_client();
    lock_many(locks, 2'000, 250, patiently(20s));
    lock_many(locks, 10, 10, patiently(30s));
    lock_many(locks, 2, 2, {.ttl = 40s, .renew = false});
    BOOST_TEST(keys() == 2'012u);
    BOOST_TEST(leases() == 4u);
    const std::uint64_t before = locks.metrics().nodes.at(0).commands;
    close(locks);
    BOOST_TEST(all_keys() == 0u);
    BOOST_TEST(leases() == 0u);
    BOOST_TEST(locks.metrics().nodes.at(0).commands - before == 4u);
}

BOOST_AUTO_TEST_CASE(whoever_unlocks_is_told_how_that_came_out) {
    client locks = make_client();
    lock_many(locks, 100, 100, patiently(20s));
    std::vector<outcome<>> unlocked(50);
    for (std::size_t i = 0; i < unlocked.size(); ++i)
        held[i].value().async_unlock(unlocked[i].handler());
    close(locks);
    for (const auto& each : unlocked) {
        BOOST_REQUIRE(each.done());
        BOOST_TEST(!each.error());
    }
    BOOST_TEST(all_keys() == 0u);
    BOOST_TEST(leases() == 0u);
}

BOOST_AUTO_TEST_CASE(a_revocation_that_was_lost_is_asked_for_again) {
    client distant = make_distant_client(1s);
    lock_many(distant, 100, 10, patiently());
    network.lose(direction::to_server);
    outcome<> closed;
    distant.async_close(closed.handler());
    BOOST_REQUIRE(run_until([&] { return distant.metrics().nodes.at(0).timeouts > 0; }));
    network.pass();
    complete(closed);
    BOOST_TEST(all_keys() == 0u);
    BOOST_TEST(leases() == 0u);
}

// What waits, and what nobody knows of, goes likewise.
BOOST_AUTO_TEST_CASE(neither_places_nor_what_was_not_answered_stay) {
    client locks = make_client();
    lock_many(locks, 1, 1, patiently());
    client distant = make_distant_client(1s);
    std::vector<outcome<lease>> waiting(20);
    for (std::size_t i = 0; i < waiting.size(); ++i)
        distant.async_lock("key1", patiently(), waiting[i].handler());
    BOOST_REQUIRE(run_until([&] { return keys() == 2; }));
    network.lose(direction::to_client);
    outcome<lease> unheard;
    distant.async_lock("unheard", patiently(), unheard.handler());
    BOOST_REQUIRE(run_until([&] { return keys() == 3; }));
    outcome<> closed;
    distant.async_close(closed.handler());
    BOOST_REQUIRE(run_until([&] { return distant.metrics().nodes.at(0).timeouts > 0; }));
    network.pass();
    complete(closed);
    for (const auto& each : waiting)
        BOOST_TEST(each.error() == errc::closed);
    BOOST_TEST(unheard.error() == errc::closed);
    BOOST_TEST(all_keys() == 1u);
    BOOST_TEST(leases() == 1u);
}

// It does not wait for a cluster that is away when nothing is owed to it.
BOOST_AUTO_TEST_CASE(a_client_without_keys_closes_at_once_while_the_cluster_is_away) {
    client distant = make_distant_client(60s);
    BOOST_REQUIRE(!try_lock(distant));
    BOOST_REQUIRE(keys() == 0u);
    network.refuse();
    BOOST_REQUIRE(run_until([&] { return distant.metrics().nodes.at(0).state == "unavailable"; }));
    close(distant);
    network.pass();
    BOOST_TEST(leases() == 1u); // until its time
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
