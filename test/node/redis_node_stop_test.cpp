#include "node/node_fixture.hpp"
#include "support/redis_server.hpp"
#include "support/scripted_peer.hpp"

#include <boost/test/data/test_case.hpp>

// Stop and destruction, in every state a node can be in.

namespace redlock::test {
namespace {

enum class stage { unstarted, resolving, attempting, greeting, ready, pending, suspect, backing_off };

const stage stages[]{stage::unstarted, stage::resolving, stage::attempting, stage::greeting,
                     stage::ready,     stage::pending,   stage::suspect,    stage::backing_off};

std::ostream& operator<<(std::ostream& out, stage s) {
    constexpr const char* names[]{"not started", "resolving",     "attempting", "in the handshake",
                                  "ready",       "with requests", "suspect",    "backing off"};
    return out << names[static_cast<int>(s)];
}

struct stop_fixture : node_fixture {
    redis_server server;
    scripted_peer black_hole{peer_script{}};

    /// Brings a node to a stage, with request 1 waiting where one can wait.
    void reach(stage goal) {
        switch (goal) {
        case stage::unstarted:
            return make_with_request(server.uri());
        case stage::resolving:
            make_with_request("redis://localhost:" + std::to_string(server.port()));
            return node->start();
        case stage::attempting:
            make_with_request(server.uri());
            return node->start();
        case stage::greeting:
            make_with_request(black_hole.uri());
            node->start();
            BOOST_REQUIRE(run_until([&] { return black_hole.accepted_connections() == 1; }));
            context.poll();
            return;
        case stage::ready:
            return connect(server.uri());
        case stage::pending:
        case stage::suspect:
            connect(server.uri());
            server.stop();
            BOOST_REQUIRE(accepted(1, {"ECHO", "x"}, goal == stage::suspect ? 20ms : patience));
            node->flush();
            BOOST_REQUIRE(await_state(goal == stage::suspect ? health::suspect : health::ready));
            BOOST_REQUIRE(goal == stage::pending || accepted(2, {"ECHO", "x"}, patience, true));
            return;
        case stage::backing_off:
            server.kill();
            start(server.uri());
            BOOST_REQUIRE(await_state(health::unavailable));
            return;
        }
    }
    void make_with_request(const std::string& uri) {
        make(uri);
        BOOST_REQUIRE(accepted(1, {"ECHO", "x"}));
    }

    /// Nothing is left to run; a loop that never ends fails by the bound.
    bool comes_to_rest() {
        context.restart();
        return run_until([&] { return context.poll(), context.stopped(); });
    }
};

BOOST_FIXTURE_TEST_SUITE(redis_node_stop_suite, stop_fixture)

BOOST_DATA_TEST_CASE_F(stop_fixture, stop_fails_what_waits_and_calls_nobody_afterwards,
                       boost::unit_test::data::make(stages), when) {
    reach(when);
    const auto told_before = log.count();
    const auto events_before = events.events.size();
    const auto turns_before = events.turns;
    int ended = 0;
    node->stop([&] { ++ended; });
    BOOST_TEST(ended == 0);
    const bool waited = when != stage::ready && when != stage::backing_off;
    BOOST_TEST(log.count() == told_before + (waited ? 1 : 0));
    if (waited) BOOST_TEST((log.outcomes.back().failure == errc::closed));
    BOOST_TEST((submit(9, {"PING"}) == errc::closed));
    BOOST_TEST((submit(9, {"PING"}, patience, true) == errc::closed));
    BOOST_TEST((node->state() == health::unavailable));
    node->flush();
    node->start();
    node->stop([&] { ended += 10; });
    BOOST_TEST(comes_to_rest());
    BOOST_TEST(ended == 11);
    BOOST_TEST(node->idle());
    BOOST_TEST(log.count() == told_before + (waited ? 1 : 0));
    BOOST_TEST(events.events.size() == events_before);
    BOOST_TEST(events.turns == turns_before);
}

BOOST_DATA_TEST_CASE_F(stop_fixture, destruction_calls_nobody, boost::unit_test::data::make(stages), when) {
    reach(when);
    const auto told_before = log.count();
    const auto events_before = events.events.size();
    const auto turns_before = events.turns;
    node.reset();
    BOOST_TEST(comes_to_rest());
    BOOST_TEST(log.count() == told_before);
    BOOST_TEST(events.events.size() == events_before);
    BOOST_TEST(events.turns == turns_before);
}

BOOST_DATA_TEST_CASE_F(stop_fixture, the_context_may_be_destroyed_without_being_run_again,
                       boost::unit_test::data::make(stages) * boost::unit_test::data::make({false, true}),
                       when, stopped) {
    reach(when);
    bool ended = false;
    if (stopped) node->stop([&] { ended = true; });
    node.reset();
    BOOST_TEST(!ended);
}

BOOST_AUTO_TEST_CASE(stop_may_be_called_from_inside_any_callback) {
    const auto stop = [&] { node->stop(); };
    for (const std::string place :
         {"connected", "down", "reply", "failure", "turn end", "destroyed in a reply"}) {
        log.outcomes.clear();
        events.events.clear();
        events.then = {};
        events.then_at_turn_end = {};
        log.then = {};
        if (place == "connected") events.then = stop;
        if (place == "turn end") events.then_at_turn_end = stop;
        start(server.uri());
        for (std::uint32_t tag = 0; tag < 10; ++tag)
            BOOST_TEST(accepted(tag, {"ECHO", "x"}));
        if (place == "reply") log.then = stop;
        if (place == "destroyed in a reply") log.then = [&] { node.reset(); };
        if (place == "down" || place == "failure") {
            BOOST_REQUIRE(await_outcomes(10));
            (place == "down" ? events.then : log.then) = stop;
            server.stop();
            for (std::uint32_t tag = 10; tag < 20; ++tag)
                BOOST_TEST(accepted(tag, {"ECHO", "x"}, 20ms));
            node->flush();
        }
        BOOST_TEST(comes_to_rest());
        BOOST_TEST((!node || (node->idle() && node->state() == health::unavailable)));
        const std::size_t expected = place == "destroyed in a reply"         ? 1
                                     : place == "down" || place == "failure" ? 20
                                                                             : 10;
        BOOST_TEST(log.count() == expected);
        server.resume();
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
