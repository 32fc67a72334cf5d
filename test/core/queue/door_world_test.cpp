// Whether those who stand in no queue have their turn, and what that costs the others.

#include "door_world.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;
using core::open_door;
using core::stranger_sight;

// Mistakes that the limits below must find.
struct sees_nobody : open_door {
    void used(nanoseconds, instant) noexcept {}
};
struct always_open : open_door {
    nanoseconds opens_for(instant now) const noexcept { return sight(now).door; }
};
struct never_forgets : open_door {
    stranger_sight sight(instant now) const noexcept { return without_age(open_door::sight(now)); }
    stranger_sight sight_behind(nanoseconds door, instant now) const noexcept {
        return without_age(open_door::sight_behind(door, now));
    }
    static stranger_sight without_age(stranger_sight s) noexcept {
        s.unseen = nanoseconds::zero();
        return s;
    }
};

door_terms terms_of(nanoseconds poll, nanoseconds hold, nanoseconds round_trip, std::size_t processes) {
    return {.poll = poll,
            .jitter = true,
            .hold = hold,
            .round_trip = round_trip,
            .processes = processes,
            .duration = std::max<nanoseconds>(20s, 2000 * (hold + round_trip)),
            .stays_for = 24h};
}
nanoseconds round_of(const door_terms& t) {
    return static_cast<nanoseconds::rep>(t.processes) * (t.hold + t.round_trip) + t.round_trip;
}

/// Of one that pauses for 5 ms and half a round, or less, between its tries.
bool stranger_is_served(const door_findings& f) {
    return f.strangers_rounds <= 25 && f.strangers_share >= 1 / 64.0;
}
/// Strict order is 1; a door comes on top of it.
bool ours_are_served(const door_findings& f, const door_terms& t) {
    const double door =
        static_cast<double>(open_door::longest.count()) / static_cast<double>(round_of(t).count());
    return f.our_rounds <= 2 + door && f.least_of_most >= 0.8;
}
/// By the grants of the same world without a stranger.
bool costs_little(const door_findings& f, const door_findings& alone) {
    return f.grants >= 0.85 * alone.grants;
}
template <class Door>
door_findings alone(door_terms t) {
    t.stays_for = 0s;
    return door_world<Door>(t).run();
}

} // namespace

BOOST_AUTO_TEST_SUITE(a_stranger_among_those_who_hand_a_key_on)

BOOST_AUTO_TEST_CASE(it_is_served_and_so_are_the_others) {
    for (const std::size_t processes : {2u, 4u, 8u, 16u})
        for (const nanoseconds hold : {1ms, 5ms, 20ms})
            for (const nanoseconds round_trip : {nanoseconds(100us), nanoseconds(200us), nanoseconds(1ms)})
                for (const nanoseconds poll : {1ms, 2ms, 5ms, 20ms, 50ms, 200ms}) {
                    const door_terms t = terms_of(poll, hold, round_trip, processes);
                    const door_findings f = door_world<open_door>(t).run();
                    BOOST_TEST_CONTEXT("poll " << poll.count() << " hold " << hold.count() << " round trip "
                                               << round_trip.count() << " processes " << processes
                                               << ": rounds " << f.strangers_rounds << " share "
                                               << f.strangers_share << " ours " << f.our_rounds << " ratio "
                                               << f.least_of_most) {
                        BOOST_TEST((stranger_is_served(f) || poll > 5ms || 2 * poll > round_of(t)));
                        BOOST_TEST(ours_are_served(f, t));
                        BOOST_TEST(costs_little(f, alone<open_door>(t)));
                    }
                }
}

BOOST_AUTO_TEST_CASE(when_it_is_gone_nothing_is_lost_in_the_end) {
    door_terms t = terms_of(200ms, 1ms, 200us, 4);
    t.stays_for = 3s;
    t.duration = 100s;
    BOOST_TEST(door_world<open_door>(t).run().grants >= 0.985 * alone<open_door>(t).grants);
    BOOST_TEST(door_world<never_forgets>(t).run().grants < 0.985 * alone<never_forgets>(t).grants);
}

BOOST_AUTO_TEST_CASE(mistakes_are_found) {
    const door_terms t = terms_of(2ms, 1ms, 200us, 4);
    BOOST_TEST(!stranger_is_served(door_world<sees_nobody>(t).run()));
    const door_terms slowest = terms_of(200ms, 1ms, 200us, 4);
    BOOST_TEST(!costs_little(door_world<always_open>(slowest).run(), alone<always_open>(slowest)));
    BOOST_TEST(!ours_are_served(door_world<always_open>(slowest).run(), slowest));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
