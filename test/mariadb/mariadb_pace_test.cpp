// How often a client looks for a release of which nobody tells.

#include "engines/sql/mariadb/look_pace.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace redlock::mariadb {
namespace {

using namespace std::chrono_literals;

constexpr core::instant begin{1h};

struct pace_fixture {
    core::random draws{1};

    core::nanoseconds pause(const look_pace& p, core::nanoseconds held) {
        return p.next(begin + held, draws) - (begin + held);
    }
};

BOOST_FIXTURE_TEST_SUITE(mariadb_pace, pace_fixture)

BOOST_AUTO_TEST_CASE(a_release_is_found_within_a_part_of_the_hold) {
    const look_pace p(begin);
    for (const core::nanoseconds held : {16ms, 40ms, 100ms, 400ms})
        for (int i = 0; i < 100; ++i) {
            BOOST_TEST((pause(p, held) <= held / look_pace::part_of_hold));
            BOOST_TEST((pause(p, held) >= held / look_pace::part_of_hold / 2));
        }
}

BOOST_AUTO_TEST_CASE(a_pause_is_within_limits) {
    const look_pace p(begin);
    for (const core::nanoseconds held : {0ms, 1ms, 500ms, 3'600'000ms})
        for (int i = 0; i < 100; ++i) {
            BOOST_TEST((pause(p, held) >= look_pace::shortest / 2));
            BOOST_TEST((pause(p, held) <= look_pace::longest));
        }
}

BOOST_AUTO_TEST_CASE(a_hold_begins_when_another_token_is_seen) {
    look_pace p(begin);
    p.found(7, begin + 10ms);
    p.found(7, begin + 1s);
    BOOST_TEST((pause(p, 1s) >= look_pace::longest / 2));
    p.found(8, begin + 1s);
    BOOST_TEST((pause(p, 1s) <= look_pace::shortest));
    p.found({}, begin + 2s);
    BOOST_TEST((pause(p, 2s) <= look_pace::shortest));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::mariadb
