#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/fast_path.hpp"
#include "node/node_fixture.hpp"
#include "support/redis_server.hpp"
#include "support/scripted_peer.hpp"

// What becomes of requests that are collected for a node when something happens to it.

namespace redlock::test {
namespace {

struct collecting_fixture : node_fixture {
    node::broadcast all;
    std::string commands; ///< stay where they are

    collecting_fixture() { commands.reserve(4096); }

    void connect_to(std::uint16_t port) {
        connect("redis://127.0.0.1:" + std::to_string(port));
        all.set_nodes({node->fast()});
    }
    /// With the memory that the first request takes.
    void connect_to(const redis_server& server) {
        connect_to(server.port());
        BOOST_REQUIRE(accepted(0, {"PING"}));
        node->flush();
        BOOST_REQUIRE(await_outcomes(1));
        log.outcomes.clear();
    }
    bool collect(std::uint32_t tag, std::initializer_list<std::string_view> words) {
        const std::size_t begin = commands.size();
        resp::append_command(commands, words);
        const auto deadline = time::lease_clock::now() + patience;
        return all.submit(std::string_view(commands).substr(begin), &log, node::reply_tag::numbered(tag),
                          deadline) == core::node_set::just(0);
    }
    bool heard(std::vector<request_outcome> expected) const { return log.outcomes == expected; }
};

/// A peer that answers a PING with this.
peer_script answers_ping_with(std::string bytes) {
    peer_script script;
    script.answer = [bytes = std::move(bytes)](const command_parser::command& words) {
        if (words.at(0) == "HELLO")
            return std::string("%3\r\n+server\r\n+redis\r\n+version\r\n+7.0.15\r\n+role\r\n+master\r\n");
        if (words.at(0) == "INFO") return std::string("$0\r\n\r\n");
        return bytes;
    };
    return script;
}

BOOST_FIXTURE_TEST_SUITE(broadcast_faults, collecting_fixture)

BOOST_AUTO_TEST_CASE(a_flush_hands_out_what_was_collected) {
    redis_server server;
    connect_to(server);
    BOOST_TEST(collect(1, {"ECHO", "a"}));
    BOOST_TEST(node->report().commands == 1u);
    node->flush();
    BOOST_TEST(node->report().commands == 2u);
    BOOST_TEST(await_outcomes(1));
    BOOST_TEST(heard({{1, errc{}, "a"}}));
}

BOOST_AUTO_TEST_CASE(a_request_of_its_own_stands_behind_what_was_collected) {
    redis_server server;
    connect_to(server);
    BOOST_TEST(collect(1, {"ECHO", "a"}));
    BOOST_TEST(accepted(2, {"ECHO", "b"}));
    BOOST_TEST(!collect(3, {"ECHO", "c"})); // that one was copied: nothing can follow it without a copy
    node->flush();
    BOOST_TEST(await_outcomes(2));
    BOOST_TEST(heard({{1, errc{}, "a"}, {2, errc{}, "b"}}));
}

BOOST_AUTO_TEST_CASE(what_was_collected_fails_with_the_connection) {
    scripted_peer peer(answers_ping_with("+PONG\r\n?\r\n"));
    connect_to(peer.port());
    // In the turn that goes on to find that the peer does not keep to the protocol.
    log.then = [this] {
        log.then = nullptr;
        BOOST_TEST(collect(2, {"ECHO", "a"}));
    };
    BOOST_TEST(accepted(1, {"PING"}));
    node->flush();
    BOOST_TEST(await_outcomes(2));
    BOOST_TEST(heard({{1, errc{}, "PONG"}, {2, errc::protocol_error, ""}}));
    BOOST_TEST(!collect(3, {"ECHO", "b"}));
}

BOOST_AUTO_TEST_CASE(what_was_collected_fails_when_the_node_is_stopped) {
    redis_server server;
    connect_to(server);
    BOOST_TEST(collect(1, {"ECHO", "a"}));
    node->stop();
    BOOST_TEST(heard({{1, errc::closed, ""}}));
    BOOST_TEST(!collect(2, {"ECHO", "b"}));
}

BOOST_AUTO_TEST_CASE(nobody_is_called_for_a_node_that_was_destroyed) {
    redis_server server;
    connect_to(server);
    BOOST_TEST(collect(1, {"ECHO", "a"}));
    node.reset();
    all.hand_out();
    BOOST_TEST(log.count() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
