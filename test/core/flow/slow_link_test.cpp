// How the admission window fares where the way to the nodes, and not the nodes, bears little.

#include "core/flow/slow_link.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

constexpr double megabit = 1e6 / 8;

core::instant link_time(core::nanoseconds t) { return core::instant(t); }

/// Locks that are taken and given back in that time, in parts of what the link carries.
double part_of_capacity(slow_link& link, const slow_link::terms& t, std::chrono::seconds from,
                        std::chrono::seconds to) {
    link.run_until(link_time(from));
    const std::size_t before = link.done();
    link.run_until(link_time(to));
    const double possible = t.bytes_per_second / static_cast<double>(t.lock_bytes + t.unlock_bytes);
    return static_cast<double>(link.done() - before) / (possible * static_cast<double>((to - from).count()));
}

} // namespace

BOOST_AUTO_TEST_SUITE(links_that_are_slow)

BOOST_AUTO_TEST_CASE(a_thousand_callers_get_what_the_link_carries) {
    const slow_link::terms t;
    slow_link link(t);
    BOOST_TEST(part_of_capacity(link, t, 0s, 2s) > 0.8);
    BOOST_TEST(part_of_capacity(link, t, 2s, 10s) > 0.9);
    BOOST_TEST(link.failed() < 200u);
}

BOOST_AUTO_TEST_CASE(it_is_so_on_slower_and_quicker_links_near_and_far) {
    for (const double rate : {0.5, 1.0, 2.0, 10.0, 100.0})
        for (const core::nanoseconds way : {100us, 1'000us, 5'000us, 15'000us}) {
            slow_link::terms t{.bytes_per_second = rate * megabit, .way = way};
            t.deadline = std::max<core::nanoseconds>(50ms, 16 * way);
            slow_link link(t);
            const bool full = rate >= 100.0 && way >= 5ms; // a thousand at once are less than it could carry
            const auto to = rate > 10.0 ? 3s : 8s;         // so much happens there in a second
            BOOST_TEST(part_of_capacity(link, t, 2s, to) > (full ? 0.2 : 0.8),
                       rate << " Mbit/s, " << way.count() << " ns");
        }
}

BOOST_AUTO_TEST_CASE(few_callers_are_held_up_by_nothing) {
    slow_link::terms t{.callers = 16};
    slow_link link(t);
    BOOST_TEST(part_of_capacity(link, t, 0s, 5s) > 0.9);
    BOOST_TEST(link.failed() == 0u);
}

// The window is as wide as it gets, and all that is under way is in vain. It must go through once.
BOOST_AUTO_TEST_CASE(a_link_that_becomes_slow_carries_again_what_it_can) {
    slow_link::terms t{.callers = 3000, .bytes_per_second = 1000 * megabit};
    slow_link link(t);
    link.run_until(link_time(1s));
    BOOST_TEST(link.window().limit() == 1024u);
    t.bytes_per_second = megabit;
    link.carries(t.bytes_per_second);
    BOOST_TEST(part_of_capacity(link, t, 5s, 10s) > 0.85);
    BOOST_TEST(link.failed() < 3000u);
}

BOOST_AUTO_TEST_CASE(a_link_that_becomes_quick_is_used_again) {
    slow_link::terms t;
    slow_link link(t);
    link.run_until(link_time(3s));
    t.bytes_per_second = 20 * megabit;
    link.carries(t.bytes_per_second);
    BOOST_TEST(part_of_capacity(link, t, 5s, 7s) > 0.9);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
