#include "lookout_fixture.hpp"

#include <utility>

namespace redlock::test {

using namespace lookouts;

BOOST_FIXTURE_TEST_SUITE(lookout_suite, lookout_fixture)

BOOST_AUTO_TEST_CASE(it_listens_everywhere_and_tries_when_a_majority_is_free) {
    waiting w(draws);
    w.start();
    BOOST_TEST((w.listened == all));
    BOOST_TEST((w.looked == all));
    w.held_everywhere(30s);
    BOOST_TEST((w.until == w.now + recheck)); // what is told needs no look
    w.sleep();
    BOOST_TEST(!w.attempted);
    BOOST_TEST((w.looked == all)); // but somebody may have flushed a node
    BOOST_TEST(w.listened.empty());
    w.held_everywhere(30s);
    w.gone(0);
    BOOST_TEST(!w.attempted);
    w.gone(2);
    BOOST_TEST(w.attempted);
    w.gone(1);
    BOOST_TEST((w.until == instant::max()));
    w.held_everywhere(30s);
    BOOST_TEST((w.until == instant::max()));
}

BOOST_AUTO_TEST_CASE(a_chance_that_went_and_came_again_is_a_new_one) {
    waiting w(draws);
    w.start();
    w.rule.counted(3);
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(2);
    BOOST_TEST((w.until == w.now + 12 * round_trip));
    w.held(2, 30s);
    BOOST_TEST((w.until > w.now + 12 * round_trip));
    w.now += 20ms;
    w.gone(2);
    BOOST_TEST(!w.attempted);
    BOOST_TEST((w.until == w.now + 12 * round_trip));
    w.gone(arbiter);
    w.held(arbiter, 30s);
    w.gone(arbiter); // one of those that came before has had it
    BOOST_TEST((w.until == w.now + 8 * round_trip));
}

BOOST_AUTO_TEST_CASE(of_a_chance_that_went_while_it_was_not_taken_the_end_is_looked_for_soon) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(1);
    for (int i = 0; i < 2; ++i) {
        BOOST_REQUIRE(w.attempted);
        w.refused(); // although nothing was heard of anybody
    }
    BOOST_TEST(!w.attempted);
    BOOST_TEST((w.until > w.now && w.until < w.now + longest_pause));
    w.held(1, 30s);
    BOOST_TEST((w.until == w.now + node_timeout));
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

BOOST_AUTO_TEST_CASE(of_a_change_that_is_told_once_it_hears_no_more_until_it_looks_again) {
    waiting w(draws);
    w.start();
    w.held_everywhere(30s);
    for (const unsigned node : {0u, 2u}) {
        w.rule.changed(node);
        w.go_on();
    }
    BOOST_TEST(w.attempted);
    for (unsigned node = 0; node < nodes; ++node)
        w.rule.sight().taken(node);
    w.rule.sight().refused_for(1);
    w.refused();
    BOOST_TEST((w.looked == all));
}

BOOST_AUTO_TEST_CASE(what_is_told_is_relied_on_for_twenty_node_timeouts_and_at_least_a_second) {
    for (const auto& [timeout, relied_on] : {std::pair(10ms, 1000ms), std::pair(100ms, 2000ms)}) {
        lookout rule(nodes, timeout, draws);
        const lookout::view v{.now = instant(1s), .ready = all, .round_trip = round_trip};
        rule.start(v, {.crowded = false, .arbiter = arbiter}, true, {});
        BOOST_TEST((rule.next(v).listen == all));
        for (unsigned node = 0; node < nodes; ++node) {
            rule.listens(node, true);
            rule.seen_held(node, 30s, v.now);
        }
        BOOST_TEST((rule.next(v).until == v.now + relied_on));
    }
}

BOOST_AUTO_TEST_CASE(nobody_is_told_of_a_key_that_was_given_up) {
    waiting w(draws);
    w.start();
    w.rule.end();
    w.attempted = true; // for nobody waits
    w.held_everywhere(30s);
    BOOST_TEST((w.until == instant::max()));
    w.gone(0);
    w.gone(1);
    BOOST_TEST((w.until == instant::max()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
