#include "etcd_line/line_fixture.hpp"
#include "support/loopback_port.hpp"

namespace redlock::test {

namespace {

constexpr std::chrono::milliseconds short_patience{300};

struct fault_fixture : member_fixture, line_fixture {
    fault_fixture() : line_fixture(to_ports({server.port()}, short_patience)) {
        BOOST_TEST_REQUIRE(loop.serves());
    }
    bool serves_again() {
        return loop.run_until([&] { return loop.line().serves(); });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fault_suite, fault_fixture)

BOOST_AUTO_TEST_CASE(a_stopped_server_is_left_after_a_call_without_an_answer) {
    answer(etcd::methods::put, put("key"));
    server.stop(0);
    const result_pointer sent = ask(etcd::methods::put, put("key"));
    const etcd::failure f = refusal(sent);
    BOOST_TEST((f.why == errc::node_timeout));
    BOOST_TEST(f.in_doubt);
    BOOST_TEST(f.text == "did not answer within 300 ms");
    BOOST_TEST_REQUIRE(loop.losses.size() == 1u);
    BOOST_TEST((loop.losses[0].why == errc::node_timeout));
    BOOST_TEST(loop.losses[0].endpoint == "127.0.0.1:" + std::to_string(server.port()));
    BOOST_TEST_REQUIRE(loop.loses()); // the next connection says nothing
    BOOST_TEST((loop.losses[1].why == errc::node_timeout));
    BOOST_TEST(loop.losses[1].text == "did not answer within 1000 ms");
    server.resume(0);
    BOOST_TEST_REQUIRE(serves_again());
    BOOST_TEST(loop.line().timeouts() >= 2u);
}

BOOST_AUTO_TEST_CASE(a_stream_that_awaits_an_answer_notices_as_well) {
    heard_stream keep(etcd::methods::lease_keep_alive, loop.line());
    server.stop(0);
    loop.turn([&] {
        keep.open();
        keep.send(encoded(messages::lease_keep_alive_request{.id = 1}), true);
    });
    BOOST_TEST_REQUIRE(loop.loses());
    BOOST_TEST((keep.end->why == errc::node_timeout));
    BOOST_TEST(keep.end->in_doubt);
    server.resume(0);
    BOOST_TEST(serves_again());
}

BOOST_AUTO_TEST_CASE(a_call_with_less_time_fails_alone) {
    server.stop(0);
    const etcd::failure f = refusal(ask(etcd::methods::put, put("key"), 20ms));
    BOOST_TEST((f.why == errc::node_timeout));
    BOOST_TEST(loop.losses.empty());
    server.resume(0);
    BOOST_TEST(loop.line().serves());
}

BOOST_AUTO_TEST_CASE(silence_is_noticed_while_something_is_watched) {
    heard_stream watches(etcd::methods::watch, loop.line());
    loop.turn([&] {
        watches.open();
        watches.send(encoded(messages::watch_create_request{.key = "key"}), true);
    });
    BOOST_TEST_REQUIRE(loop.run_until([&] { return !watches.messages.empty(); }));
    server.stop(0);
    BOOST_TEST_REQUIRE(loop.loses());
    BOOST_TEST((loop.losses[0].why == errc::node_timeout));
    BOOST_TEST(loop.losses[0].text.starts_with("gave no sign of life for "));
    server.resume(0);
}

BOOST_AUTO_TEST_CASE(a_killed_server_is_connected_to_again) {
    answer(etcd::methods::put, put("key"));
    server.kill(0);
    BOOST_TEST_REQUIRE(loop.loses());
    BOOST_TEST((loop.losses[0].why == errc::node_unavailable));
    // Or with a reset, where it left something unread.
    BOOST_TEST((loop.losses[0].text == "closed the connection" ||
                loop.losses[0].text.starts_with("broke the connection: ")));
    const etcd::failure f = refusal(ask(etcd::methods::put, put("key")));
    BOOST_TEST((f.why == errc::node_unavailable));
    BOOST_TEST(!f.in_doubt);
    const result_pointer kept = ask(etcd::methods::put, put("kept"), {}, true);
    BOOST_TEST_REQUIRE(loop.loses());
    BOOST_TEST(loop.losses[1].text.starts_with("cannot be reached: "));
    BOOST_TEST(!kept->done());
    server.start(0);
    server.await_ready();
    BOOST_TEST_REQUIRE(serves_again());
    BOOST_TEST_REQUIRE(ends(kept));
    BOOST_TEST(kept->response.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(endpoint_suite)

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_tried_less_and_less_often) {
    line_fixture f(to_ports({free_loopback_port()}));
    f.loop.start();
    const result_pointer waiting = f.ask(etcd::methods::put, put("key"));
    const etcd::failure why = f.refusal(waiting);
    BOOST_TEST((why.why == errc::node_unavailable));
    BOOST_TEST(!why.in_doubt);
    const auto begin = std::chrono::steady_clock::now();
    BOOST_TEST_REQUIRE(f.loop.run_until([&] { return f.loop.losses.size() >= 6; }));
    // 10 + 20 + 40 + 80 + 160 ms at the least.
    BOOST_TEST((std::chrono::steady_clock::now() - begin > 250ms));
}

BOOST_AUTO_TEST_CASE(the_next_endpoint_is_tried_at_once) {
    member_fixture f;
    line_fixture l(to_ports({free_loopback_port(), free_loopback_port(), f.server.port()}));
    l.loop.start();
    const result_pointer early = l.ask(etcd::methods::put, put("key"));
    BOOST_TEST_REQUIRE(l.ends(early));
    BOOST_TEST(early->response.has_value());
    BOOST_TEST(l.loop.losses.size() == 2u);
    BOOST_TEST(l.loop.line().endpoint() == "127.0.0.1:" + std::to_string(f.server.port()));
}

BOOST_AUTO_TEST_CASE(another_member_takes_over_from_one_that_is_killed) {
    etcd_server cluster({.members = 3});
    line_fixture l(to_ports({cluster.port(0), cluster.port(1), cluster.port(2)}));
    BOOST_TEST_REQUIRE(l.loop.serves());
    l.answer(etcd::methods::put, put("key", "kept"));
    cluster.kill(0);
    BOOST_TEST_REQUIRE(l.loop.loses());
    const auto found = [&] {
        const result_pointer r = l.ask(etcd::methods::range, encoded(messages::range_request{.key = "key"}));
        return l.ends(r) && r->response;
    };
    BOOST_TEST_REQUIRE(eventually(found)); // a leader may have to be elected
    BOOST_TEST(l.loop.line().endpoint() == "127.0.0.1:" + std::to_string(cluster.port(1)));
}

BOOST_AUTO_TEST_CASE(a_member_without_a_leader_is_left) {
    etcd_server cluster({.members = 3});
    line_fixture l(to_ports({cluster.port(0), cluster.port(1)}));
    BOOST_TEST_REQUIRE(l.loop.serves());
    heard_stream watches(etcd::methods::watch, l.loop.line());
    l.loop.turn([&] {
        watches.open();
        watches.send(encoded(messages::watch_create_request{.key = "key"}), true);
    });
    BOOST_TEST_REQUIRE(l.loop.run_until([&] { return !watches.messages.empty(); }));
    cluster.stop(1);
    cluster.stop(2);
    BOOST_TEST_REQUIRE(l.loop.run_until([&] { return watches.end.has_value(); }));
    BOOST_TEST((watches.end->status == etcd::status_code::unavailable));
    BOOST_TEST_REQUIRE(!l.loop.losses.empty());
    BOOST_TEST(l.loop.losses[0].text == "has no leader");
    BOOST_TEST(l.loop.losses[0].endpoint == "127.0.0.1:" + std::to_string(cluster.port(0)));
    cluster.resume(1);
    cluster.resume(2);
    const auto works = [&] {
        const result_pointer r = l.ask(etcd::methods::put, put("key"));
        return l.ends(r) && r->response;
    };
    BOOST_TEST(eventually(works));
}

BOOST_AUTO_TEST_CASE(a_call_to_a_member_without_a_leader_is_known_not_to_be_done) {
    etcd_server cluster({.members = 3});
    line_fixture l(to_ports({cluster.port(0)}));
    BOOST_TEST_REQUIRE(l.loop.serves());
    cluster.kill(1);
    cluster.kill(2);
    etcd::failure last;
    const auto refused = [&] {
        const result_pointer r = l.ask(etcd::methods::put, put("key"), 500ms);
        if (!l.ends(r) || !r->failed) return false;
        last = *r->failed;
        return last.status == etcd::status_code::unavailable;
    };
    BOOST_TEST_REQUIRE(eventually(refused));
    BOOST_TEST(!last.in_doubt);
    BOOST_TEST((last.why == errc::node_unavailable));
    BOOST_TEST(last.text == "answered with an error: etcdserver: no leader (status 14 of gRPC)");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
