#include "node/node_fixture.hpp"
#include "support/fault_proxy.hpp"
#include "support/redis_server.hpp"
#include "support/scripted_peer.hpp"

// Faults: servers that hang, die and come back.

namespace redlock::test {
namespace {

/// A node becomes suspect quickly, and is given up only after 1 s.
node::node_settings hasty() {
    node::node_settings settings;
    settings.node_timeout = 50ms;
    return settings;
}

struct fault_fixture : node_fixture {
    redis_server server;
};

BOOST_FIXTURE_TEST_SUITE(redis_node_fault_suite, fault_fixture)

BOOST_AUTO_TEST_CASE(an_abandoned_slot_keeps_the_order_through_a_stop) {
    connect(server.uri()); // silence of up to 50 s is borne
    server.stop();
    BOOST_TEST(accepted(1, {"SET", "late", "1"}, 50ms));
    node->flush();
    BOOST_TEST(await_state(health::suspect));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_timeout, ""}));
    BOOST_TEST((submit(2, {"ECHO", "refused"}) == errc::node_timeout));
    BOOST_TEST(accepted(3, {"DEL", "late"}, patience, true));
    node->flush();
    server.resume();
    BOOST_TEST(await_outcomes(2));
    BOOST_TEST((log.outcomes.at(1) == request_outcome{3, errc{}, "1"})); // the late SET came before it
    BOOST_TEST(accepted(4, {"ECHO", "fine"}));
    node->flush();
    BOOST_TEST(await_outcomes(3));
    BOOST_TEST((log.outcomes.at(2) == request_outcome{4, errc{}, "fine"}));
    BOOST_TEST(events.heard({"connected", "down", "recovered"}));
    const auto report = node->report();
    BOOST_TEST(report.timeouts == 1u);
    BOOST_TEST(report.connects == 1u);
    BOOST_TEST((report.last_error == errc::node_timeout));
    BOOST_TEST(report.last_error_text.starts_with(node->name()));
}

BOOST_AUTO_TEST_CASE(a_suspect_node_that_stays_silent_is_connected_again) {
    connect(server.uri(), hasty());
    server.stop();
    BOOST_TEST(accepted(1, {"ECHO", "a"}, 50ms));
    BOOST_TEST(accepted(2, {"ECHO", "b"}, patience));
    node->flush();
    BOOST_TEST(await_state(health::suspect));
    BOOST_TEST(await_state(health::unavailable));
    const std::vector<request_outcome> expected{{1, errc::node_timeout, ""}, {2, errc::node_unavailable, ""}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
    BOOST_TEST(node->report().last_error_text.find("1000 ms") != std::string::npos);
    BOOST_TEST((submit(3, {"ECHO", "c"}, patience, true) == errc::node_unavailable));
    server.resume();
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"connected", "down", "connected"}));
    BOOST_TEST(log.count() == 2u);
    BOOST_TEST(node->report().connects == 2u);
    BOOST_TEST(node->report().disconnects == 1u);
}

BOOST_AUTO_TEST_CASE(a_killed_server_fails_what_is_pending_once_and_is_connected_again) {
    connect(server.uri());
    server.stop();
    for (std::uint32_t tag = 0; tag < 50; ++tag)
        BOOST_TEST(accepted(tag, {"SET", "k" + std::to_string(tag), "v"}));
    node->flush();
    server.kill();
    BOOST_TEST(await_state(health::unavailable));
    BOOST_TEST(log.count() == 50u);
    BOOST_TEST(log.count(errc::node_unavailable) == 50);
    BOOST_TEST((submit(50, {"PING"}) == errc::node_unavailable));
    server.restart();
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"connected", "down", "connected"}));
    BOOST_TEST(accepted(51, {"DBSIZE"}));
    node->flush();
    BOOST_TEST(await_outcomes(51));
    BOOST_TEST((log.outcomes.back() == request_outcome{51, errc{}, "0"})); // nothing was carried over
}

BOOST_AUTO_TEST_CASE(a_new_run_id_shows_a_restart) {
    connect(server.uri());
    const auto before = node->server().run_id;
    server.restart();
    BOOST_TEST(run_until([&] { return node->report().connects == 2; }));
    BOOST_TEST(!before.empty());
    BOOST_TEST(node->server().run_id != before);
    BOOST_TEST(node->server().run_id == server.info("run_id"));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_down_at_first_refuses_and_is_found_later) {
    server.kill();
    start(server.uri());
    BOOST_TEST(accepted(1, {"PING"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_unavailable, ""}));
    BOOST_TEST((submit(2, {"PING"}) == errc::node_unavailable));
    BOOST_TEST(node->report().last_error_text ==
               std::string(node->name()) + " cannot be reached: Connection refused");
    BOOST_TEST(events.heard({"down"}));
    server.restart();
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"down", "connected"}));
}

BOOST_AUTO_TEST_CASE(an_idle_node_that_hangs_is_found_out_by_a_ping) {
    auto settings = hasty();
    settings.idle_ping = 20ms;
    connect(server.uri(), settings);
    server.stop();
    BOOST_TEST(await_state(health::suspect));
    BOOST_TEST(log.count() == 0u);
    server.resume();
    BOOST_TEST(await_state(health::ready));
}

BOOST_AUTO_TEST_CASE(a_reset_connection_fails_only_those_that_still_wait) {
    fault_proxy proxy(server.port());
    connect(proxy.uri());
    proxy.freeze();
    BOOST_TEST(accepted(1, {"ECHO", "a"}, 50ms));
    BOOST_TEST(accepted(2, {"ECHO", "b"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    proxy.pass();
    proxy.reset_connections();
    BOOST_TEST(await_outcomes(2));
    BOOST_TEST(await_state(health::ready));
    // Either the replies came first or the reset did; each request was told of one.
    BOOST_TEST(log.count() == 2u);
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_timeout, ""}));
    BOOST_TEST(log.outcomes.at(1).tag == 2u);
}

BOOST_AUTO_TEST_CASE(a_black_hole_is_given_up_after_a_second) {
    scripted_peer peer({});
    start(peer.uri(), hasty());
    BOOST_TEST(accepted(1, {"PING"}, 50ms));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_timeout, ""}));
    BOOST_TEST((node->state() == health::connecting));
    BOOST_TEST(accepted(2, {"PING"}));
    BOOST_TEST(await_state(health::unavailable));
    BOOST_TEST((log.outcomes.at(1) == request_outcome{2, errc::node_unavailable, ""}));
    BOOST_TEST(node->report().last_error_text.ends_with("did not complete the handshake within 1000 ms"));
    BOOST_TEST(run_until([&] { return peer.accepted_connections() >= 2; }));
}

BOOST_AUTO_TEST_CASE(a_black_hole_that_swallows_the_connection_is_left) {
    fault_proxy proxy(server.port());
    connect(proxy.uri(), hasty());
    proxy.black_hole();
    BOOST_TEST(accepted(1, {"ECHO", "a"}, 50ms));
    node->flush();
    BOOST_TEST(await_state(health::suspect));
    BOOST_TEST(await_state(health::unavailable));
    proxy.pass();
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"connected", "down", "connected"}));
}

// Replies that came in time are delivered, however late this process looks at them.
BOOST_AUTO_TEST_CASE(our_own_stall_is_not_held_against_the_node) {
    connect(server.unix_uri());
    constexpr std::uint32_t count = 200;
    const std::string word(200, 'w'); // several reads long
    for (std::uint32_t tag = 0; tag < count; ++tag)
        BOOST_TEST(accepted(tag, {"ECHO", word}, 300ms));
    BOOST_TEST(accepted(count, {"SET", "done", "1"}, 300ms));
    node->flush();
    const auto deadline = time::lease_clock::now() + 300ms;
    BOOST_TEST(eventually([&] { return server.exists("done") && time::lease_clock::now() > deadline; }));
    BOOST_TEST(await_outcomes(count + 1));
    BOOST_TEST(log.count(errc{}) == count + 1);
    BOOST_TEST(events.heard({"connected"}));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
