// How soon one that is told nothing looks again.

#include "core/queue/queued_contender.hpp"
#include "core/queue/untold_pace.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>

namespace redlock::test {
namespace {

using namespace core;
using namespace std::chrono_literals;

constexpr instant begun{1h};
constexpr nanoseconds node_timeout = 200ms;

BOOST_AUTO_TEST_SUITE(untold_pace_suite)

BOOST_AUTO_TEST_CASE(it_is_late_by_a_part_of_what_it_has_waited_for) {
    for (const nanoseconds trip : {100us, 1000us, 20'000us})
        for (const nanoseconds life : {60ms, 500ms, 10'000ms})
            for (const bool alone : {true, false})
                for (const unsigned ahead : {0u, 1u, 3u, 4u, 31u, 1'000'000u})
                    for (nanoseconds held = 0us; held < 4s; held = held * 2 + 50us) {
                        untold_pace pace(life, node_timeout);
                        pace.saw(1, ahead, begun);
                        const nanoseconds pause = pace.pause(trip, alone, begun + held);
                        BOOST_TEST((pause >= trip));
                        // So one that stands n places behind hears of it before it has come to the front.
                        const nanoseconds in_time =
                            std::max(trip, held / 8) * std::max(1u, (std::min(ahead, 1000u) + 1) / 4);
                        BOOST_TEST((pause <= in_time));
                        // And before a key that is handed to it has run out.
                        BOOST_TEST((pause <= std::max(trip, life / 3)));
                        if (alone && ahead < 4) BOOST_TEST((pause <= std::max(trip, node_timeout / 4)));
                        // It shows itself three times while it is believed.
                        BOOST_TEST((pace.longest_pause() * shows_until_dead <= life));
                        BOOST_TEST((pace.longest_pause() <= pause_in_queue(ahead)));
                    }
}

BOOST_AUTO_TEST_CASE(another_holder_is_looked_at_anew) {
    untold_pace pace(500ms, node_timeout);
    BOOST_TEST((pace.pause(200us, true, begun) == 200us));
    pace.saw(1, 7, begun);
    BOOST_TEST((pace.pause(200us, true, begun + 8ms) == 2ms));
    pace.saw(1, 7, begun + 8ms);
    BOOST_TEST((pace.pause(200us, true, begun + 8ms) == 2ms));
    pace.saw(1, 1, begun + 8ms);
    BOOST_TEST((pace.pause(200us, true, begun + 8ms) == 1ms));
    pace.saw(2, 0, begun + 8ms);
    BOOST_TEST((pace.pause(200us, true, begun + 8ms) == 200us));
    BOOST_TEST((pace.pause(200us, true, begun + 16ms) == 1ms));
}

BOOST_AUTO_TEST_CASE(the_first_looks_closely_when_it_was_passed_over) {
    untold_pace pace(500ms, node_timeout);
    instant now = begun;
    pace.saw(1, 0, now);
    for (std::uint64_t holder = 2; holder < 12; ++holder) {
        now += 2s;
        BOOST_TEST((pace.pause(200us, true, now) == node_timeout / 4));
        pace.saw(holder, 0, now);
        const bool closely = holder < 10; // it may be one that stands in no queue at all
        BOOST_TEST((pace.pause(200us, true, now + 800ms) == (closely ? 200us : 50ms)));
    }
}

BOOST_AUTO_TEST_CASE(a_server_next_door_is_not_asked_without_a_pause) {
    BOOST_TEST((untold_pace(500ms, node_timeout).pause(0us, true, begun) == 100us));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
