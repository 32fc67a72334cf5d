#include "engines/redis/resp/command_batch.hpp"
#include "node/node_fixture.hpp"
#include "support/fault_proxy.hpp"
#include "support/redis_server.hpp"

#include <array>

// Service: what a node does with a healthy server.

namespace redlock::test {
namespace {

struct service_fixture : node_fixture {
    redis_server server;
};

BOOST_FIXTURE_TEST_SUITE(redis_node_service_suite, service_fixture)

BOOST_AUTO_TEST_CASE(replies_come_in_the_order_of_the_requests) {
    connect(server.uri());
    constexpr std::uint32_t count = 2000;
    std::vector<request_outcome> expected;
    for (std::uint32_t tag = 0; tag < count; ++tag) {
        const auto word = std::to_string(tag);
        BOOST_REQUIRE(accepted(tag, {"ECHO", word}));
        if (tag % 300 == 0) node->flush();
        expected.push_back({tag, errc{}, word});
    }
    node->flush();
    BOOST_TEST(await_outcomes(count));
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
    BOOST_TEST(events.heard({"connected"}));
    BOOST_TEST(events.turns > 0u);
    const auto report = node->report();
    BOOST_TEST((report.state == health::ready));
    BOOST_TEST(report.commands == count);
    BOOST_TEST(report.connects == 1u);
    BOOST_TEST(report.disconnects == 0u);
    BOOST_TEST(report.timeouts == 0u);
    BOOST_TEST((report.last_error == errc{}));
    BOOST_TEST(report.last_error_text.empty());
    BOOST_TEST((report.round_trip > 0ns && report.round_trip < patience));
}

BOOST_AUTO_TEST_CASE(requests_wait_for_the_first_connection) {
    make(server.uri());
    BOOST_TEST((node->state() == health::connecting));
    BOOST_TEST(accepted(1, {"ECHO", "early"}));
    BOOST_TEST(accepted(2, {"ECHO", "next"}));
    node->flush();
    node->start();
    BOOST_TEST(await_outcomes(2));
    const std::vector<request_outcome> expected{{1, errc{}, "early"}, {2, errc{}, "next"}};
    BOOST_TEST(log.outcomes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_expired_before_the_connection_came_up_is_never_written) {
    fault_proxy proxy(server.port());
    proxy.freeze();
    start(proxy.uri());
    BOOST_TEST(accepted(1, {"SET", "late", "1"}, 50ms));
    BOOST_TEST(accepted(2, {"SET", "patient", "1"}));
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc::node_timeout, ""}));
    BOOST_TEST((node->state() == health::connecting));
    proxy.thaw();
    BOOST_TEST(await_outcomes(2));
    BOOST_TEST((log.outcomes.at(1) == request_outcome{2, errc{}, "OK"}));
    BOOST_TEST(server.exists("patient"));
    BOOST_TEST(!server.exists("late"));
    BOOST_TEST(node->report().timeouts == 1u);
}

BOOST_AUTO_TEST_CASE(a_unix_socket_serves_like_tcp) {
    connect(server.unix_uri());
    BOOST_TEST(node->name().starts_with("unix://"));
    BOOST_TEST(accepted(1, {"ECHO", "hi"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc{}, "hi"}));
}

BOOST_AUTO_TEST_CASE(a_host_name_is_resolved) {
    connect("redis://localhost:" + std::to_string(server.port()));
    BOOST_TEST(accepted(1, {"ECHO", "hi"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
}

BOOST_AUTO_TEST_CASE(receivers_may_submit_from_inside_their_calls) {
    connect(server.uri());
    constexpr std::uint32_t count = 500;
    bool all_accepted = true;
    log.then = [&] {
        const auto tag = static_cast<std::uint32_t>(log.count());
        if (tag < count) all_accepted = accepted(tag, {"ECHO", std::to_string(tag)}) && all_accepted;
    };
    BOOST_TEST(accepted(0, {"ECHO", "0"}));
    node->flush();
    BOOST_TEST(await_outcomes(count));
    BOOST_TEST(all_accepted);
    for (std::uint32_t tag = 0; tag < count; ++tag)
        BOOST_TEST((log.outcomes.at(tag) == request_outcome{tag, errc{}, std::to_string(tag)}));
}

BOOST_AUTO_TEST_CASE(a_reply_that_nobody_wants_is_dropped) {
    connect(server.uri());
    std::string command;
    resp::append_command(command, {"SET", "k", "v"});
    BOOST_TEST(
        (node->submit({.command = command, .deadline = time::lease_clock::now() + patience}) == errc{}));
    BOOST_TEST(accepted(1, {"GET", "k"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST((log.outcomes.at(0) == request_outcome{1, errc{}, "v"}));
}

BOOST_AUTO_TEST_CASE(pushes_go_to_the_listener) {
    connect(server.uri());
    BOOST_TEST(accepted(1, {"CLIENT", "TRACKING", "ON", "BCAST"}));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    server.command({"SET", "k", "v"});
    BOOST_TEST(run_until([&] { return events.heard({"connected", "push"}); }));
    BOOST_TEST(log.count() == 1u);
}

BOOST_AUTO_TEST_CASE(what_the_socket_does_not_take_at_once_follows) {
    connect(server.uri());
    const std::string value(1'000'000, 'v');
    std::uint32_t taken = 0;
    while (accepted(taken, {"SET", "k" + std::to_string(taken), value}))
        ++taken;
    BOOST_TEST(taken == 16u); // 16 MiB
    BOOST_TEST((submit(99, {"PING"}) == errc{}));
    BOOST_TEST((submit(100, {"SET", "k", value}) == errc::node_timeout));
    node->flush();
    BOOST_TEST(await_outcomes(taken + 1));
    BOOST_TEST(server.key_count() == 16);
    BOOST_TEST((log.outcomes.back() == request_outcome{99, errc{}, "PONG"}));
    BOOST_TEST((submit(101, {"SET", "k", value}) == errc{}));
    node->flush();
    BOOST_TEST(await_outcomes(taken + 2));
}

BOOST_AUTO_TEST_CASE(commands_that_stay_do_so_until_the_next_flush_only) {
    connect(server.uri());
    server.stop(); // until neither socket takes any more
    resp::command_batch batch;
    std::vector<std::string> asked;
    for (errc refusal{}; refusal == errc{};) {
        for (int i = 0; i < 50 && refusal == errc{}; ++i) {
            std::string word = std::to_string(asked.size()) + std::string(2'000, 'w');
            const std::string_view words[]{"ECHO", word};
            refusal =
                node->submit({.command = batch.append(words),
                              .receiver = &log,
                              .tag = node::reply_tag::numbered(static_cast<std::uint32_t>(asked.size())),
                              .deadline = time::lease_clock::now() + patience,
                              .stays = true});
            if (refusal == errc{}) asked.push_back(std::move(word));
        }
        node->flush();
        batch.clear();
        const std::string scribble(400'000, '#');
        batch.append(std::array<std::string_view, 1>{scribble});
        batch.clear();
    }
    server.resume();
    BOOST_TEST(await_outcomes(asked.size()));
    BOOST_TEST(asked.size() > 8'000U); // 16 MiB
    for (std::size_t i = 0; i < asked.size(); ++i)
        BOOST_REQUIRE((log.outcomes[i] == request_outcome{static_cast<std::uint32_t>(i), errc{}, asked[i]}));
}

BOOST_AUTO_TEST_CASE(the_number_of_requests_is_limited) {
    auto few = patient();
    few.request_limit = 10;
    make(server.uri(), few);
    for (std::uint32_t tag = 0; tag < 10; ++tag)
        BOOST_TEST(accepted(tag, {"PING"}));
    BOOST_TEST((submit(10, {"PING"}) == errc::node_timeout));
    node->start();
    BOOST_TEST(await_outcomes(10));
    for (std::uint32_t tag = 0; tag < 10; ++tag)
        BOOST_TEST(accepted(tag, {"PING"}));
    BOOST_TEST((submit(10, {"PING"}) == errc::node_timeout));
    node->flush();
    BOOST_TEST(await_outcomes(20));
    BOOST_TEST(log.count(errc{}) == 20);
}

BOOST_AUTO_TEST_CASE(replies_in_single_bytes_are_put_together) {
    fault_proxy proxy(server.port());
    proxy.fragment(true);
    connect(proxy.uri());
    for (std::uint32_t tag = 0; tag < 100; ++tag)
        BOOST_TEST(accepted(tag, {"ECHO", std::to_string(tag)}));
    node->flush();
    BOOST_TEST(await_outcomes(100));
    for (std::uint32_t tag = 0; tag < 100; ++tag)
        BOOST_TEST((log.outcomes.at(tag) == request_outcome{tag, errc{}, std::to_string(tag)}));
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_kept_alive) {
    fault_proxy proxy(server.port());
    auto eager = patient();
    eager.idle_ping = 10ms;
    connect(proxy.uri(), eager);
    BOOST_TEST(run_until([&] { return proxy.commands("PING") >= 5; }));
    BOOST_TEST((node->state() == health::ready));
    BOOST_TEST(events.heard({"connected"}));
    BOOST_TEST(node->report().commands == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
