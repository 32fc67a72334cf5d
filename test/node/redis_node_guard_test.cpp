#include "node/node_fixture.hpp"
#include "support/scripted_peer.hpp"

#include <atomic>

// A server whose clock can be put forward. No real one can, beside others on the same machine.

namespace redlock::test {
namespace {

struct redis_node_guard_test_fixture : node_fixture {
    std::atomic<std::int64_t> ahead_ms = 0;
    std::atomic<bool> tells_time = true;
    std::atomic<bool> closes = false; ///< by breaking the protocol
    scripted_peer server{{.answer = [this](const auto& words) { return answer(words.front()); }}};

    ~redis_node_guard_test_fixture() { node.reset(); }

    std::string answer(const std::string& word) const {
        if (closes) return "?\r\n";
        if (word == "HELLO") return "%2\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n";
        if (word == "INFO") {
            const std::string text = "uptime_in_seconds:1000000\r\n";
            return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
        }
        if (word != "TIME") return "+OK\r\n";
        if (!tells_time) return "-NOPERM this user has no permissions to run the 'time' command\r\n";
        const auto now = time::lease_clock::now().time_since_epoch() + std::chrono::milliseconds(ahead_ms);
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
        const std::string parts[] = {std::to_string(us / 1'000'000), std::to_string(us % 1'000'000)};
        std::string reply = "*2\r\n";
        for (const std::string& part : parts)
            reply += "$" + std::to_string(part.size()) + "\r\n" + part + "\r\n";
        return reply;
    }

    static node::node_settings guarded() {
        node::node_settings s = patient();
        s.idle_ping = 20ms;
        s.restart_guard = 1s;
        return s;
    }
};

BOOST_FIXTURE_TEST_SUITE(redis_node_guard, redis_node_guard_test_fixture)

BOOST_AUTO_TEST_CASE(a_jump_of_the_clock_keeps_the_node_out_for_a_while) {
    connect(server.uri(), guarded());
    ahead_ms = 5'000;
    BOOST_TEST(await_state(health::quarantined));
    BOOST_TEST((submit(1, {"SET", "key", "value"}) == errc::node_quarantined));
    BOOST_TEST(accepted(2, {"DEL", "key"}, patience, true));
    node->flush();
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST(node->report().last_error_text.find("clock that jumped by 49") != std::string::npos);
    BOOST_TEST(await_state(health::ready));
    BOOST_TEST(events.heard({"connected", "down", "connected"}));
    BOOST_TEST(accepted(3, {"SET", "key", "value"}));
    node->flush();
    BOOST_TEST(await_outcomes(2));
}

BOOST_AUTO_TEST_CASE(a_jump_while_there_was_no_connection_is_noticed) {
    connect(server.uri(), guarded());
    closes = true;
    BOOST_TEST(run_until([&] { return server.accepted_connections() > 1; }));
    ahead_ms = -5'000;
    closes = false;
    BOOST_TEST(await_state(health::quarantined));
    BOOST_TEST(node->report().last_error_text.find("clock that jumped by ") != std::string::npos);
    BOOST_TEST(await_state(health::ready));
}

BOOST_AUTO_TEST_CASE(a_server_that_may_not_tell_its_clock_votes) {
    tells_time = false;
    connect(server.uri(), guarded());
    const auto asked = server.commands();
    BOOST_TEST(run_until([&] { return server.commands() > asked + 3; }));
    BOOST_TEST((node->state() == health::ready));
    BOOST_TEST(events.heard({"connected"}));
}

BOOST_AUTO_TEST_CASE(without_a_guard_nobody_asks_for_the_time) {
    node::node_settings s = guarded();
    s.restart_guard = 0s;
    connect(server.uri(), s);
    ahead_ms = 5'000;
    const auto asked = server.commands();
    BOOST_TEST(run_until([&] { return server.commands() > asked + 3; }));
    BOOST_TEST((node->state() == health::ready));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
