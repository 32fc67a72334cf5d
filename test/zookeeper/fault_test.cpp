// An ensemble that crashes, stops and is cut off, and clients that go without a word.

#include "support/fault_proxy.hpp"
#include "zookeeper_fixture.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>

namespace redlock::test {
namespace {

struct own_server {
    explicit own_server(zookeeper_server::settings s) : ensemble_of_one(s) {}
    zookeeper_server ensemble_of_one;
};

struct fault_test_fixture : zookeeper_fixture {
    using zookeeper_fixture::zookeeper_fixture;
    /// With a network of its own.
    client make_distant_client(std::chrono::milliseconds patience = 600ms) {
        config c = settings("zookeeper://127.0.0.1:" + std::to_string(network.port()) + root);
        c.node_timeout = patience;
        return client(context.get_executor(), c);
    }

    fault_proxy network{ensemble.port()};
};

BOOST_AUTO_TEST_SUITE(fault_suite, *boost::unit_test::fixture<shared_server>())

BOOST_FIXTURE_TEST_CASE(a_lease_outlives_its_connection, fault_test_fixture) {
    client locks = make_distant_client(), others = make_client();
    lease held = lock(locks, "key", fenced(20s));
    network.reset_connections();
    BOOST_TEST(reconnects(locks));
    BOOST_TEST(try_lock(others) == errc::held);
    outcome<> extended;
    held.async_extend(20s, extended.handler());
    complete(extended);
    BOOST_TEST(!extended.error());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!try_lock(others));
}

BOOST_FIXTURE_TEST_CASE(who_waits_keeps_its_place_over_a_new_connection, fault_test_fixture) {
    client holder = make_client(), distant = make_distant_client(), others = make_client();
    lease held = lock(holder);
    outcome<lease> first, second;
    distant.async_lock("key", patiently(), first.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(holder).waiting == 1; }));
    others.async_lock("key", patiently(), second.handler());
    BOOST_REQUIRE(run_until([&] { return inspect(holder).waiting == 2; }));
    network.reset_connections();
    BOOST_TEST(reconnects(distant));
    BOOST_TEST(!unlock(held));
    complete(first);
    BOOST_TEST(!first.error());
    BOOST_TEST(!second.done());
}

// The session dies after 2 s, and the lease after its ttl at the latest: only then is the key another's.
BOOST_FIXTURE_TEST_CASE(the_key_of_one_who_is_cut_off_is_nobodys_before_he_stops_believing,
                        fault_test_fixture) {
    client locks = make_distant_client(), others = make_client();
    lease held = lock(locks, "key", fenced(3s));
    const std::uint64_t before = held.fencing_token().value();
    network.freeze();
    outcome<lease> next;
    bool overlapped = false;
    others.async_lock("key", fenced(), next.handler());
    BOOST_TEST(run_until([&] {
        overlapped = overlapped || (next.done() && held.valid());
        return next.done();
    }));
    BOOST_REQUIRE(!next.error());
    BOOST_TEST(!overlapped);
    BOOST_TEST(next.value().fencing_token().value() > before);
    network.pass();
    BOOST_TEST(reconnects(locks));
    BOOST_TEST(next.value().valid());
    BOOST_TEST(try_lock(locks) == errc::held);
}

BOOST_FIXTURE_TEST_CASE(a_grant_whose_reply_is_lost_is_given_back, fault_test_fixture) {
    client distant = make_distant_client(), others = make_client();
    BOOST_REQUIRE(run_until([&] { return !try_lock(distant); }));
    network.freeze(direction::to_client);
    BOOST_TEST(try_lock(distant) == errc::no_quorum);
    network.reset_connections();
    network.pass();
    BOOST_TEST(run_until([&] { return !try_lock(others); }));
    BOOST_TEST(run_until([&] { return !try_lock(distant); }));
}

// With sessions of 30 s, which is how long the client goes on to believe in its leases: a JVM that starts
// beside other tests may take a third of that.
struct long_sessions_fixture : own_server, fault_test_fixture {
    long_sessions_fixture() : own_server({.tick = 15'000}), fault_test_fixture(ensemble_of_one) {}
};

BOOST_FIXTURE_TEST_CASE(a_server_that_is_away_is_no_quorum_and_says_why, long_sessions_fixture) {
    client locks = make_client();
    BOOST_REQUIRE(!try_lock(locks));
    lease held = lock(locks, "held", patiently(60s));
    ensemble.crash();
    BOOST_TEST(run_until([&] { return locks.metrics().nodes.at(0).state == "unavailable"; }));
    BOOST_TEST(try_lock(locks) == errc::no_quorum);
    const auto node = locks.metrics().nodes.at(0);
    BOOST_TEST(node.last_error_text.starts_with(node.node));
    ensemble.start();
    BOOST_TEST(run_until(3 * patience, [&] { return !try_lock(locks); }));
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
}

// The client gives a key back when its time has run out, and what it had asked for before that may be
// answered behind it: the answer is true of a key that is somebody else's by then.
BOOST_FIXTURE_TEST_CASE(a_lease_that_is_handed_on_is_nobodys_once_its_time_ran_out_before_the_answer_came,
                        long_sessions_fixture) {
    client distant = make_distant_client(10s), others = make_client();
    for (bool handed = false; !handed;) {
        const lock_options briefly{.ttl = 2s, .renew = false};
        lease first = lock_briefly(distant, "key", briefly);
        const auto ends = std::chrono::steady_clock::now() + briefly.ttl;
        outcome<lease> second;
        distant.async_lock("key", patiently(60s), second.handler());
        BOOST_TEST(run_until([&] { return distant.metrics().waiting == 1; }));
        network.freeze(direction::to_client);
        const auto before = distant.metrics().handoffs;
        BOOST_TEST(!unlock(first));
        handed =
            distant.metrics().handoffs > before; // otherwise the machine took longer than the lease lived
        BOOST_TEST(run_until([&] { return std::chrono::steady_clock::now() > ends; }));
        network.pass();
        complete(second);
        BOOST_REQUIRE(!second.error());
        inspect(distant); // behind all that it has asked for
        BOOST_TEST(second.value().valid());
        BOOST_TEST(try_lock(others) == errc::held);
        BOOST_TEST(!unlock(second.value()));
    }
}

struct short_sessions_fixture : own_server, fault_test_fixture {
    short_sessions_fixture() : own_server({.tick = 100}), fault_test_fixture(ensemble_of_one) {}
};

// A session of 2 s, and a server that lets in and turns away, as one does that is about to serve.
BOOST_FIXTURE_TEST_CASE(a_client_with_a_session_tries_often_enough_to_find_it_alive, short_sessions_fixture) {
    constexpr int tries = 24;
    client locks = make_client();
    lease held = lock(locks, "held", patiently(60s));
    ensemble.crash();
    namespace ip = boost::asio::ip;
    ip::tcp::acceptor door(context, {ip::address_v4::loopback(), ensemble.port()});
    ip::tcp::socket guest(context);
    int came = 0;
    std::function<void()> turn_away = [&] {
        door.async_accept(guest, [&](error_code ec) {
            guest.close();
            if (ec) return;
            ++came;
            turn_away();
        });
    };
    const auto begin = std::chrono::steady_clock::now();
    turn_away();
    BOOST_TEST(run_until([&] { return came >= tries; }));
    // Eight times in a session's time, at least: twice that is for the machine.
    BOOST_TEST((std::chrono::steady_clock::now() - begin < 2 * tries * 2s / 8));
    door.close();
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
