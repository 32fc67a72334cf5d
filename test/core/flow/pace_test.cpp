#include "core/flow/pace.hpp"
#include "core/random.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace redlock::test {

using namespace core;
using namespace std::chrono_literals;

namespace {

constexpr nanoseconds eighth = 10ms;
constexpr nanoseconds span = 8 * eighth;

/// What a pace is to know, and more: the time of each event.
struct recorded_pace {
    void add(instant now) {
        rule.add(now);
        all.push_back(now);
    }
    std::size_t since(instant begin) const {
        return static_cast<std::size_t>(std::ranges::count_if(all, [=](instant t) { return t >= begin; }));
    }
    void check(instant now) {
        const std::size_t counted = rule.recent(now);
        BOOST_REQUIRE(counted >= since(now - 7 * eighth));
        BOOST_REQUIRE(counted <= since(now - span + 1ns));
    }

    pace rule{span};
    std::vector<instant> all;
};

} // namespace

BOOST_AUTO_TEST_SUITE(pace_suite)

BOOST_AUTO_TEST_CASE(it_counts_what_happened_within_the_last_seven_to_eight_eighths) {
    random draws(5);
    for (const nanoseconds longest_pause : {nanoseconds(3ms), nanoseconds(25ms), nanoseconds(200ms)}) {
        recorded_pace p;
        instant now{1h};
        for (int i = 0; i < 2000; ++i) {
            now += draws.between(0ns, longest_pause);
            if (draws.between(0ns, 2ns) == 0ns) p.check(now);
            p.add(now);
            p.check(now);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_event_is_forgotten_when_its_time_is_over_and_not_before) {
    for (nanoseconds into = 0ns; into < span; into += eighth / 2) {
        recorded_pace p;
        p.add(instant(1h)); // its eighth begins here
        p.add(instant(1h) + into);
        for (nanoseconds later = into; later < 3 * span; later += 1ms)
            p.check(instant(1h) + later);
        BOOST_TEST(p.rule.recent(instant(1h) + 3 * span) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(another_span_begins_with_nothing) {
    pace p(span);
    p.add(instant(1h));
    p.set_span(4 * span);
    BOOST_TEST(p.recent(instant(1h)) == 0u);
    p.add(instant(1h));
    BOOST_TEST(p.recent(instant(1h) + 3 * span) == 1u);
    BOOST_TEST(p.recent(instant(1h) + 5 * span) == 0u);
}

// However short: an eighth has a length.
BOOST_AUTO_TEST_CASE(of_no_time_at_all_nothing_is_recent) {
    pace p(nanoseconds(0));
    p.add(instant(1h));
    BOOST_TEST(p.recent(instant(1h) + 8ns) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
