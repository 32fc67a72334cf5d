#include "engines/redis/node/server/node_health.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using node::health;
using node::node_health;
using action = node::node_health::action;
using waiting_for = node::node_health::progress;

struct health_fixture {
    node_health node{
        {.connect = 1s, .idle_ping = 500ms, .silence = 2s, .backoff_floor = 10ms, .backoff_ceiling = 2s}};
    core::random jitter{42};

    void connect(time::instant now) {
        node.attempt_started(now);
        node.connected(now);
    }
    /// Fails and returns how long the node then waits.
    std::chrono::nanoseconds backoff_at(time::instant now) {
        node.lost(now, jitter);
        return node.next_look(true) - now;
    }
};

BOOST_FIXTURE_TEST_SUITE(node_health_suite, health_fixture)

BOOST_AUTO_TEST_CASE(before_the_start_there_is_nothing_to_do) {
    BOOST_TEST((node.state() == health::connecting));
    BOOST_TEST((node.next_look(true) == time::instant::max()));
    BOOST_TEST((node.due(at(1h), true) == action::nothing));
}

BOOST_AUTO_TEST_CASE(the_first_attempt_is_bounded) {
    node.attempt_started(at(0ms));
    BOOST_TEST((node.state() == health::connecting));
    BOOST_TEST((node.next_look(true) == at(1s)));
    BOOST_TEST((node.due(at(999ms), true) == action::nothing));
    BOOST_TEST((node.due(at(1s), true) == action::give_up));
}

BOOST_AUTO_TEST_CASE(a_failed_attempt_makes_it_unavailable_until_a_handshake) {
    node.attempt_started(at(0ms));
    node.lost(at(5ms), jitter);
    BOOST_TEST((node.state() == health::unavailable));
    const auto retry = node.next_look(true);
    BOOST_TEST((node.due(retry - 1ns, true) == action::nothing));
    BOOST_TEST((node.due(retry, true) == action::connect));
    node.attempt_started(retry);
    BOOST_TEST((node.state() == health::unavailable));
    node.connected(retry + 1ms);
    BOOST_TEST((node.state() == health::ready));
}

BOOST_AUTO_TEST_CASE(backoff_doubles_from_floor_to_ceiling_and_is_spread) {
    std::set<std::chrono::nanoseconds> seen;
    std::chrono::nanoseconds bound = 10ms;
    for (int failure = 0; failure < 100; ++failure) {
        node.attempt_started(at(0ms));
        const auto wait = backoff_at(at(0ms));
        BOOST_TEST((wait >= bound / 2 && wait <= bound));
        seen.insert(wait);
        bound = std::min<std::chrono::nanoseconds>(bound * 2, 2s);
    }
    BOOST_TEST(seen.size() > 90u);
}

BOOST_AUTO_TEST_CASE(only_an_answer_after_the_handshake_resets_the_backoff) {
    for (int i = 0; i < 20; ++i)
        backoff_at(at(0ms));
    connect(at(0ms));
    BOOST_TEST((backoff_at(at(0ms)) >= 1s));
    connect(at(0ms));
    node.heard(at(1ms), waiting_for::caught_up);
    BOOST_TEST((backoff_at(at(1ms)) <= 10ms));
}

BOOST_AUTO_TEST_CASE(a_missed_deadline_makes_it_suspect_until_it_has_caught_up) {
    connect(at(0ms));
    BOOST_TEST(!node.heard(at(1ms), waiting_for::caught_up));
    BOOST_TEST(node.missed_deadline(at(50ms)));
    BOOST_TEST(!node.missed_deadline(at(51ms)));
    BOOST_TEST((node.state() == health::suspect));
    BOOST_TEST(!node.heard(at(55ms), waiting_for::none));
    BOOST_TEST(!node.heard(at(58ms), waiting_for::answers));
    BOOST_TEST((node.state() == health::suspect));
    BOOST_TEST(node.heard(at(60ms), waiting_for::caught_up));
    BOOST_TEST(!node.heard(at(61ms), waiting_for::caught_up));
    BOOST_TEST((node.state() == health::ready));
}

BOOST_AUTO_TEST_CASE(only_an_idle_node_is_asked) {
    connect(at(0ms));
    BOOST_TEST((node.next_look(true) == at(500ms)));
    BOOST_TEST((node.due(at(499ms), true) == action::nothing));
    BOOST_TEST((node.due(at(500ms), true) == action::ask));
    BOOST_TEST((node.due(at(500ms), false) == action::nothing));
    BOOST_TEST((node.next_look(false) == time::instant::max()));
    node.heard(at(400ms), waiting_for::caught_up);
    BOOST_TEST((node.due(at(500ms), true) == action::nothing));
    BOOST_TEST((node.due(at(900ms), true) == action::ask));
}

BOOST_AUTO_TEST_CASE(a_suspect_node_that_stays_silent_is_dropped) {
    connect(at(0ms));
    node.missed_deadline(at(100ms));
    BOOST_TEST((node.next_look(false) == at(2100ms)));
    BOOST_TEST((node.due(at(2099ms), false) == action::nothing));
    BOOST_TEST((node.due(at(2100ms), false) == action::drop));
    BOOST_TEST((node.due(at(2100ms), true) == action::drop));
}

// Over a slow link it may take long to catch up.
BOOST_AUTO_TEST_CASE(a_suspect_node_that_answers_is_not_dropped) {
    connect(at(0ms));
    node.missed_deadline(at(100ms));
    node.heard(at(1000ms), waiting_for::answers);
    node.heard(at(1500ms), waiting_for::none);
    BOOST_TEST((node.due(at(2999ms), false) == action::nothing));
    BOOST_TEST((node.due(at(3000ms), false) == action::drop));
}

BOOST_AUTO_TEST_CASE(a_suspect_node_with_nothing_pending_is_asked) {
    connect(at(0ms));
    node.missed_deadline(at(100ms));
    BOOST_TEST((node.due(at(600ms), true) == action::ask));
    BOOST_TEST((node.due(at(600ms), false) == action::nothing));
}

BOOST_AUTO_TEST_CASE(a_second_suspicion_begins_its_own_silence) {
    connect(at(0ms));
    node.missed_deadline(at(100ms));
    node.heard(at(2000ms), waiting_for::caught_up);
    node.missed_deadline(at(2050ms));
    BOOST_TEST((node.due(at(4049ms), false) == action::nothing));
    BOOST_TEST((node.due(at(4050ms), false) == action::drop));
}

BOOST_AUTO_TEST_CASE(deadlines_mean_nothing_without_a_connection) {
    node.attempt_started(at(0ms));
    BOOST_TEST(!node.missed_deadline(at(10ms)));
    BOOST_TEST((node.state() == health::connecting));
    node.lost(at(20ms), jitter);
    BOOST_TEST(!node.missed_deadline(at(30ms)));
    BOOST_TEST((node.state() == health::unavailable));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
