#include "core/quorum/lookout.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>

using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

using action = lookout::action;
using step = lookout::step;

constexpr unsigned nodes = 3;
constexpr unsigned arbiter = 1;
constexpr nanoseconds node_timeout = 50ms;
constexpr nanoseconds round_trip = 100us;
constexpr nanoseconds recheck = 1s; // 20 node timeouts
constexpr nanoseconds longest_pause = 100ms;

const node_set all = node_set::all_of(nodes);

/// One that waits, and nodes that do at once what it asks for. What they answer when they are looked at comes
/// as events of their own.
struct waiting {
    explicit waiting(redlock::core::random& draws, node_set which_tell = all)
        : tells(which_tell), rule(nodes, node_timeout, draws) {}

    lookout::view view() const { return {.now = now, .ready = ready, .round_trip = round_trip}; }
    lookout::rivals rivals(bool crowded) const {
        lookout::rivals r{.crowded = crowded, .arbiter = std::nullopt};
        if (ready.has(arbiter))
            r.arbiter = arbiter;
        else if (!ready.empty())
            r.arbiter = *ready.begin();
        return r;
    }

    void start(bool crowded = false, node_set ours = {}) {
        const lookout::rivals r = rivals(crowded);
        rule.start(view(), r, r.arbiter && tells.has(*r.arbiter), ours);
        act(rule.next(view()));
    }
    void refused(bool crowded = false, bool needs_the_others = false) {
        BOOST_REQUIRE(attempted);
        attempted = false;
        rule.go_on(view(), rivals(crowded), needs_the_others);
        act(rule.next(view()));
    }
    void act(step next) {
        looked = {};
        listened = {};
        left = {};
        counts = next.count;
        for (int steps = 0; next.what == action::ask; next = rule.next(view())) {
            BOOST_REQUIRE(++steps < 5);
            BOOST_REQUIRE((next.listen & next.leave).empty());
            looked |= next.look | next.listen;
            listened |= next.listen;
            left |= next.leave;
            for (const unsigned node : next.listen) {
                rule.sight().set_absent(node, !ready.has(node));
                rule.listens(node, ready.has(node) && tells.has(node));
            }
            for (const unsigned node : next.look)
                rule.sight().set_absent(node, !ready.has(node));
        }
        until = next.until;
        attempted |= next.what == action::attempt;
        BOOST_REQUIRE(attempted != rule.waits());
    }
    void go_on() { act(rule.next(view())); }
    void pass(nanoseconds d) {
        now += d;
        act(rule.time_passed(view()));
    }
    void sleep() {
        now = std::max(now, until);
        act(rule.time_passed(view()));
    }

    void gone(unsigned node) {
        rule.gone(node, now);
        go_on();
    }
    void held(unsigned node, std::optional<nanoseconds> left_of_it) {
        rule.seen_held(node, left_of_it, now);
        go_on();
    }
    void held_everywhere(std::optional<nanoseconds> left_of_it) {
        for (unsigned node = 0; node < nodes; ++node)
            held(node, left_of_it);
    }
    void seen_free(unsigned node) {
        rule.seen_free(node);
        go_on();
    }
    void deaf(unsigned node) {
        rule.is_deaf(node);
        go_on();
    }
    void down(unsigned node) {
        ready.remove(node);
        rule.down(node);
        go_on();
    }
    void up(unsigned node) {
        ready.add(node);
        rule.sight().set_absent(node, false);
        rule.listens(node, tells.has(node));
        go_on();
    }

    node_set ready = all;
    node_set tells;
    instant now{1s};
    lookout rule;
    instant until{};
    bool attempted = false;
    bool counts = false;
    node_set looked, listened, left; ///< at the last event
};

struct lookout_fixture {
    redlock::core::random draws{7};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(lookout_suite, lookout_fixture)

BOOST_AUTO_TEST_CASE(it_listens_everywhere_and_tries_when_a_majority_is_free) {
    waiting w(draws);
    w.start();
    BOOST_TEST((w.listened == all));
    BOOST_TEST((w.looked == all));
    w.held_everywhere(30s);
    BOOST_TEST((w.until == w.now + recheck)); // what is told needs no look
    w.gone(0);
    BOOST_TEST(!w.attempted);
    w.gone(2);
    BOOST_TEST(w.attempted);
    w.gone(1);
    BOOST_TEST((w.until == instant::max()));
}

BOOST_AUTO_TEST_CASE(nodes_where_this_contender_has_it_count_as_free) {
    waiting w(draws);
    w.start(false, node_set::just(2));
    w.held(0, 30s);
    w.held(1, 30s);
    w.gone(0);
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(it_sleeps_until_the_key_runs_out_on_a_majority) {
    waiting w(draws);
    w.start();
    w.held(0, 30s);
    w.held(1, 20ms);
    w.held(2, 10ms);
    BOOST_TEST((w.until == w.now + 22ms)); // rounded down, and with its last millisecond
    w.sleep();
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(where_nothing_is_told_it_tries_after_pauses_that_grow) {
    waiting w(draws, node_set());
    w.start();
    nanoseconds shortest = nanoseconds::max();
    nanoseconds longest{};
    for (int i = 0; i < 20; ++i) {
        w.held_everywhere(30s);
        const instant before = w.now;
        while (!w.attempted)
            w.sleep();
        shortest = std::min(shortest, w.now - before);
        longest = std::max(longest, w.now - before);
        w.refused();
        BOOST_TEST((w.looked == all));
    }
    BOOST_TEST((shortest < 2ms));
    BOOST_TEST((longest >= node_timeout / 2));
    BOOST_TEST((longest < node_timeout));
}

BOOST_AUTO_TEST_CASE(that_a_key_has_run_out_is_found_by_trying) {
    waiting w(draws, all - node_set::just(2));
    w.start();
    w.held(0, 10ms);
    w.held(1, 30s);
    w.held(2, 30s);
    BOOST_TEST((w.until == w.now + 12ms));
    w.sleep();
    BOOST_TEST(w.attempted);
    w.refused(); // nothing new was heard of it: as where nothing is told
    BOOST_TEST((w.until > w.now));
    BOOST_TEST((w.until < w.now + longest_pause));
}

BOOST_AUTO_TEST_CASE(of_others_that_came_before_each_gets_time_for_four_round_trips) {
    waiting w(draws);
    w.start();
    BOOST_TEST(w.rule.counts_at(arbiter));
    w.rule.counted(3);
    BOOST_TEST(!w.rule.counts_at(arbiter));
    w.held_everywhere(30s);
    for (unsigned node = 0; node < nodes; ++node)
        w.gone(node);
    BOOST_TEST(!w.attempted);
    BOOST_TEST((w.until == w.now + 12 * round_trip));
    w.rule.counted(2); // asked again: itself and one other
    w.go_on();
    BOOST_TEST((w.until == w.now + 4 * round_trip));
    w.sleep();
    BOOST_TEST(w.attempted);
    w.refused();
    BOOST_TEST(w.rule.losses() == 1u);
}

BOOST_AUTO_TEST_CASE(those_before_are_counted_again_once_in_each_chance) {
    waiting w(draws);
    w.start();
    w.rule.counted(1000000);
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(2);
    BOOST_TEST(w.counts);
    BOOST_TEST((w.until == w.now + node_timeout / 8)); // no longer, however many they are
    w.gone(1);
    BOOST_TEST(!w.counts);
}

BOOST_AUTO_TEST_CASE(in_a_crowd_it_listens_to_the_arbiter_alone_and_asks_that_first) {
    waiting w(draws);
    w.start(true);
    BOOST_TEST((w.listened == node_set::just(arbiter)));
    BOOST_TEST(w.rule.is_narrow());
    BOOST_TEST(!w.rule.first_to_ask().has_value());
    w.held(arbiter, 30s);
    BOOST_TEST((w.until < w.now + node_timeout)); // nobody would tell if the others were all there is
    w.gone(arbiter);
    BOOST_TEST(w.attempted);
    BOOST_TEST(w.rule.first_to_ask().value() == arbiter);
    w.refused(true);
    BOOST_TEST(w.rule.is_narrow());
    BOOST_TEST((w.looked.empty()));
}

BOOST_AUTO_TEST_CASE(it_listens_to_all_again_where_the_arbiter_is_not_enough) {
    waiting deafened(draws);
    deafened.start(true);
    deafened.deaf(arbiter);
    BOOST_TEST(!deafened.rule.is_narrow());
    BOOST_TEST((deafened.listened == all - node_set::just(arbiter)));

    for (const bool crowded : {false, true}) {
        waiting w(draws);
        w.start(true);
        w.held(arbiter, 30s);
        w.gone(arbiter);
        w.refused(crowded, crowded); // or nobody else is there any more
        BOOST_TEST(!w.rule.is_narrow());
    }
    waiting mute(draws, all - node_set::just(arbiter));
    mute.start(true);
    BOOST_TEST(!mute.rule.is_narrow());
}

BOOST_AUTO_TEST_CASE(it_narrows_down_when_the_key_changes_hands_quickly_in_a_crowd) {
    waiting w(draws);
    w.start();
    for (int i = 0; i < 2; ++i) {
        w.held_everywhere(30s);
        w.now += 1ms;
        for (unsigned node = 0; node < nodes; ++node)
            w.gone(node);
        BOOST_TEST(w.attempted);
        for (unsigned node = 0; node < nodes; ++node) {
            w.rule.sight().taken(node);
            w.rule.sight().refused_for(static_cast<std::size_t>(i) + 1);
        }
        w.refused(true);
    }
    BOOST_TEST(w.rule.is_narrow());
    BOOST_TEST((w.left == all - node_set::just(arbiter)));
    BOOST_TEST((w.rule.listening() == node_set::just(arbiter)));
}

BOOST_AUTO_TEST_CASE(an_arbiter_that_went_is_replaced_and_one_that_stays_is_kept) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.down(arbiter);
    w.gone(0);
    w.gone(2);
    w.refused();
    BOOST_TEST(w.rule.arbiter().value() == 0u);
    w.up(arbiter);
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(2);
    w.refused();
    BOOST_TEST(w.rule.arbiter().value() == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_told_in_vain_asks_less_and_less) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(1);
    int tries = 0;
    for (const instant end = w.now + 2s; w.now < end; ++tries) {
        while (!w.attempted)
            w.sleep();
        w.refused();
        for (unsigned node = 0; node < nodes; ++node)
            w.seen_free(node);
    }
    BOOST_TEST(tries < 80);
    BOOST_TEST(tries > 20);
    // Somebody really has it: the next invitation is taken at its word.
    while (!w.attempted)
        w.sleep();
    w.refused();
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(1);
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(nobody_is_told_of_a_key_that_was_given_up) {
    waiting w(draws);
    w.start();
    w.rule.end();
    w.attempted = true; // for nobody waits
    w.gone(0);
    w.gone(1);
    BOOST_TEST((w.until == instant::max()));
}

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
