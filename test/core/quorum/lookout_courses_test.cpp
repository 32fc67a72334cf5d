#include "lookout_fixture.hpp"

#include <cstddef>

namespace redlock::test {

using namespace lookouts;

namespace {

/// Follows every course of so many events.
struct explorer {
    void follow(const waiting& w, unsigned left) {
        ++courses;
        check(w);
        if (left == 0) return;
        const auto then = [&](auto event) {
            waiting next = w;
            event(next);
            follow(next, left - 1);
        };
        if (w.attempted) {
            for (const bool crowded : {false, true})
                for (const bool needs_the_others : {false, true})
                    then([&](waiting& n) { n.refused(crowded, needs_the_others); });
            return;
        }
        then([](waiting& n) { n.sleep(); });
        for (unsigned node = 0; node < nodes; ++node) {
            then([&](waiting& n) { n.gone(node); });
            then([&](waiting& n) { n.held(node, 5ms); });
            then([&](waiting& n) { n.held(node, std::nullopt); });
            then([&](waiting& n) { n.seen_free(node); });
            then([&](waiting& n) { n.deaf(node); });
            if (w.ready.has(node))
                then([&](waiting& n) { n.down(node); });
            else
                then([&](waiting& n) { n.up(node); });
        }
    }

    void check(const waiting& w) {
        if (w.attempted) return;
        // No wait without an end, and none that is not worth it.
        BOOST_REQUIRE((w.until <= w.now + recheck));
        if (w.rule.has_chance()) BOOST_REQUIRE((w.until <= w.now + longest_pause));
        if (w.rule.is_narrow()) {
            BOOST_REQUIRE(w.rule.arbiter().has_value());
            waiting copy = w;
            BOOST_REQUIRE(copy.rule.sight().told(*w.rule.arbiter()));
        }
        // With nothing but time it comes to a try, or sleeps on.
        waiting alone = w;
        for (int at_once = 0; !alone.attempted && at_once < 4; ++at_once) {
            const instant before = alone.now;
            alone.sleep();
            if (alone.now > before) break;
            BOOST_REQUIRE(at_once < 3);
        }
    }

    std::size_t courses = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(lookout_courses, lookout_fixture)

BOOST_AUTO_TEST_CASE(no_course_of_events_makes_it_sleep_for_ever_or_not_at_all) {
    explorer e;
    for (const bool crowded : {false, true})
        for (const node_set tells :
             {all, node_set(), node_set::just(arbiter), all - node_set::just(arbiter)}) {
            waiting w(draws, tells);
            w.start(crowded);
            e.follow(w, 4);
        }
    BOOST_TEST_MESSAGE(e.courses << " courses");
    BOOST_TEST(e.courses > 500'000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
