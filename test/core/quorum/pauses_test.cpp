// How long contenders wait, between bounds that are drawn from.

#include "core/backoff.hpp"
#include "core/quorum/contender.hpp"
#include "core/quorum/lookout_fixture.hpp"

#include <algorithm>

namespace redlock::test {

using namespace lookouts;

namespace {

/// Of many draws, which come within a thousandth of either bound, and never beyond.
template <class Draw>
bool are_between(nanoseconds low, nanoseconds high, Draw draw) {
    nanoseconds least = nanoseconds::max();
    nanoseconds most{};
    for (int i = 0; i < 10'000; ++i) {
        const nanoseconds drawn = draw();
        least = std::min(least, drawn);
        most = std::max(most, drawn);
    }
    const nanoseconds little = (high - low) / 500;
    BOOST_TEST_MESSAGE(least.count() << " to " << most.count() << " ns");
    return low <= least && least < low + little && high - little < most && most < high;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(pauses_suite, lookout_fixture)

BOOST_AUTO_TEST_CASE(a_backoff_doubles_up_to_its_limit) {
    const auto after = [&](unsigned waits, nanoseconds limit) {
        backoff b(1ms, limit);
        for (unsigned i = 0; i < waits; ++i)
            (void)b.next(draws);
        return b.next(draws);
    };
    for (const auto& [waits, most] : {std::pair(0u, 1ms), std::pair(1u, 2ms), std::pair(2u, 4ms),
                                      std::pair(3u, 7ms), std::pair(9u, 7ms)}) {
        const nanoseconds bound = most;
        BOOST_TEST(are_between(bound / 2, bound, [&] { return after(waits, 7ms); }));
        BOOST_TEST(are_between(bound / 2, bound, [&] {
            backoff b(1ms, 7ms);
            b.skip(waits);
            return b.next(draws);
        }));
    }
    BOOST_TEST(are_between(4ms, 8ms, [&] { return after(3, 8ms); }));
    BOOST_TEST(are_between(4ms, 8ms, [&] { return after(4, 8ms); }));
    BOOST_TEST(are_between(500us, 1ms, [&] {
        backoff b(1ms, 8ms);
        b.skip(3);
        b.reset();
        return b.next(draws);
    }));
}

BOOST_AUTO_TEST_CASE(votes_are_kept_for_a_part_of_the_ttl_or_a_node_timeout) {
    BOOST_TEST((longest_keep_of(50ms, 1s) == 50ms));
    BOOST_TEST((longest_keep_of(50ms, 200ms) == 50ms));
    BOOST_TEST((longest_keep_of(50ms, 100ms) == 25ms));
    const contender c({.waits = true, .wait_until = instant(1h), .longest_keep = 50ms}, 3);
    BOOST_TEST(are_between(25ms, 50ms, [&] { return c.keep_until(instant(1s), draws) - instant(1s); }));
}

BOOST_AUTO_TEST_CASE(a_first_blind_try_comes_within_a_millisecond) {
    BOOST_TEST(are_between(500us, 1ms, [&] {
        waiting w(draws, node_set());
        w.start();
        w.held_everywhere(30s);
        return w.until - w.now;
    }));
}

BOOST_AUTO_TEST_CASE(who_listens_to_the_arbiter_alone_looks_within_a_node_timeout) {
    BOOST_TEST(are_between(node_timeout / 2, node_timeout, [&] {
        waiting w(draws);
        w.start(true);
        w.held(arbiter, 30s);
        return w.until - w.now;
    }));
    // Also when the key came free and was taken again.
    BOOST_TEST(are_between(node_timeout / 2, node_timeout, [&] {
        waiting w(draws);
        w.start(true);
        w.held(arbiter, 30s);
        w.gone(arbiter);
        w.rule.sight().taken(arbiter);
        w.rule.sight().refused_for(1);
        w.refused(true);
        return w.until - w.now;
    }));
}

BOOST_AUTO_TEST_CASE(the_longest_pause_is_a_tenth_of_a_second_however_slow_the_nodes_are) {
    const auto pause_after = [&](nanoseconds timeout) {
        lookout rule(nodes, timeout, draws);
        lookout::view v{.now = instant(1s), .ready = all, .round_trip = round_trip};
        rule.start(v, {.crowded = false, .arbiter = arbiter}, false, {});
        for (int i = 0; i < 10; ++i) {
            step next = rule.next(v);
            while (next.what == action::ask)
                next = rule.next(v);
            v.now = next.until;
            if (rule.time_passed(v).what == action::attempt && i < 9)
                rule.go_on(v, {.crowded = false, .arbiter = arbiter}, false);
        }
        rule.go_on(v, {.crowded = false, .arbiter = arbiter}, false);
        step next = rule.next(v);
        while (next.what == action::ask)
            next = rule.next(v);
        return next.until - v.now;
    };
    BOOST_TEST(are_between(50ms, 100ms, [&] { return pause_after(1s); }));
    BOOST_TEST(are_between(25ms, 50ms, [&] { return pause_after(50ms); }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
