// Nodes that are milliseconds away, by the default configuration, over the TCP of the system. Where no such
// network can be made the cases are skipped, and say why.

#include "../client/lock_fixture.hpp"
#include "support/distant_network.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t node_count = 5;

struct distance_fixture : lock_fixture {
    distance_fixture() : lock_fixture(0), network(std::vector<distance>(node_count)) {
        const distant_network::among_servers here(network);
        for (std::size_t i = 0; i < node_count; ++i)
            servers.emplace_back(
                redis_options{.directives = {"bind " + network.address(i), "protected-mode no",
                                             "notify-keyspace-events Kgxe"}});
    }

    void set_all(const distance& d) {
        for (std::size_t i = 0; i < node_count; ++i)
            network.set(i, d);
    }
    /// By default but for the nodes.
    config settings() {
        config c;
        for (std::size_t i = 0; i < node_count; ++i)
            c.nodes.push_back("redis://" + network.address(i) + ':' + std::to_string(servers[i].port()));
        return c;
    }
    bool becomes_ready(const client& locks, std::size_t count = node_count) {
        return lock_fixture::becomes_ready(locks, count);
    }
    clock::duration time_of(const std::function<void()>& what) {
        const auto begin = clock::now();
        what();
        return clock::now() - begin;
    }

    distant_network network;
    std::deque<redis_server> servers;
};

/// Takes a lock and gives it back, again and again.
class busy_caller {
public:
    busy_caller(client& locks, int number) : locks_(locks), key_("busy:" + std::to_string(number)) {}

    void go_on() {
        if (over) {
            ended = true;
            return;
        }
        locks_.async_lock(key_, {.renew = false}, [this](error_code ec, lease l) {
            held_ = std::move(l);
            if (ec) return go_on_after(ec);
            held_.async_unlock([this](error_code unlocked) { go_on_after(unlocked); });
        });
    }

    std::size_t done = 0;
    std::size_t failed = 0;
    bool over = false;
    bool ended = false;

private:
    void go_on_after(error_code ec) {
        ++(ec ? failed : done);
        go_on();
    }

    client& locks_;
    std::string key_;
    lease held_;
};

BOOST_FIXTURE_TEST_SUITE(far_nodes, distance_fixture)

BOOST_AUTO_TEST_CASE(the_first_lock_is_granted_while_the_connections_are_made) {
    set_all({.round_trip = 30ms});
    client locks(context.get_executor(), settings());
    BOOST_TEST(!try_lock(locks, "key", {.wait = 0ms}));
    close(locks);
}

// Once the client knows how far they are, what is written at once may take several round trips.
BOOST_AUTO_TEST_CASE(a_burst_takes_several_round_trips_and_no_node_is_blamed_for_that) {
    set_all({.round_trip = 30ms});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    std::size_t granted = 0;
    std::size_t done = 0;
    std::vector<lease> held;
    for (int i = 0; i < 1024; ++i)
        locks.async_lock("burst:" + std::to_string(i), {.renew = false}, [&](error_code ec, lease l) {
            ++done;
            granted += !ec;
            held.push_back(std::move(l));
        });
    BOOST_TEST(run_until([&] { return done == 1024; }));
    BOOST_TEST(granted == 1024u);
    for (const node_metrics& node : locks.metrics().nodes)
        BOOST_TEST(node.timeouts == 0u);
    held.clear();
    close(locks);
}

BOOST_AUTO_TEST_CASE(one_that_is_much_farther_than_the_others_costs_nothing) {
    set_all({.round_trip = 20ms});
    network.set(4, {.round_trip = 400ms});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks, 4));
    for (int i = 0; i < 5; ++i) {
        std::optional<lease> held;
        BOOST_TEST((time_of([&] { held = lock(locks, "key"); }) < 200ms));
        BOOST_TEST(!unlock(*held));
    }
    close(locks);
}

// Their commands alone would fill the link for a second, and no command has as long.
BOOST_AUTO_TEST_CASE(a_thousand_callers_get_what_a_slow_link_carries) {
    constexpr auto time = 4s;
    constexpr std::size_t bytes_of_a_cycle = 250; // on the wire
    set_all({.round_trip = 5ms, .bits_per_second = 1'000'000});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    std::deque<busy_caller> callers;
    for (int i = 0; i < 1024; ++i)
        callers.emplace_back(locks, i).go_on();
    const auto end = clock::now() + time;
    run_until([&] { return clock::now() >= end; });
    std::size_t done = 0;
    std::size_t failed = 0;
    for (busy_caller& each : callers) {
        each.over = true;
        done += each.done;
        failed += each.failed;
    }
    BOOST_TEST(done > time.count() * 125'000 / bytes_of_a_cycle / 2);
    // Who fails asks again at once here, so that is no measure of what is in vain.
    const std::uint64_t in_vain = locks.metrics().nodes.front().timeouts;
    BOOST_TEST_MESSAGE(done << " done, " << failed << " failed, " << in_vain << " commands given up");
    BOOST_TEST(in_vain < done);
    BOOST_TEST(run_until([&] { return std::ranges::all_of(callers, &busy_caller::ended); }));
    close(locks);
}

BOOST_AUTO_TEST_CASE(nodes_whose_answers_are_lost_do_not_vote_until_they_are_heard_again) {
    set_all({.round_trip = 5ms});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    network.cut(0, false, true);
    network.cut(1, false, true);
    BOOST_TEST(!try_lock(locks, "key", {.wait = 0ms}));
    network.cut(2, false, true);
    BOOST_TEST(try_lock(locks, "key", {.wait = 0ms}) == errc::no_quorum);
    for (std::size_t i : {0u, 1u, 2u})
        network.cut(i, false, false);
    BOOST_TEST(becomes_ready(locks));
    BOOST_TEST(!try_lock(locks, "key", {.wait = 0ms}));
    close(locks);
}

// Each renewal meets a loss now and then, which takes TCP a fifth of a second to mend.
BOOST_AUTO_TEST_CASE(no_lease_is_lost_where_one_packet_in_a_hundred_is) {
    set_all({.round_trip = 5ms, .loss = 0.01});
    client locks(context.get_executor(), settings());
    BOOST_REQUIRE(becomes_ready(locks));
    std::vector<lease> held;
    for (int i = 0; i < 50; ++i)
        locks.async_lock("held:" + std::to_string(i), {.ttl = 3s}, [&](error_code ec, lease l) {
            if (!ec) held.push_back(std::move(l));
        });
    const auto end = clock::now() + 8s;
    BOOST_TEST(run_until([&] { return clock::now() >= end; }));
    BOOST_TEST(held.size() >= 40u);
    BOOST_TEST(std::ranges::all_of(held, &lease::valid));
    BOOST_TEST(locks.metrics().renewals >= held.size());
    held.clear();
    close(locks);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
