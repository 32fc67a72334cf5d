#include "lookout_fixture.hpp"

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

/// Two others had it in turn, each for `held`; of the second it was heard `told` after it came free.
waiting after_two_hands(core::random& draws, nanoseconds held, nanoseconds told) {
    waiting w(draws);
    w.start();
    for (std::size_t holder = 1; holder <= 2; ++holder) {
        w.held_everywhere(30s);
        w.now += held;
        for (unsigned node = 0; node < nodes; ++node)
            w.gone(node);
        BOOST_TEST(w.attempted);
        for (unsigned node = 0; node < nodes; ++node)
            w.rule.sight().taken(node);
        w.rule.sight().refused_for(holder);
        if (holder == 2) w.now += told;
        w.refused(true);
    }
    return w;
}

BOOST_AUTO_TEST_CASE(it_narrows_down_when_the_key_changes_hands_quickly_in_a_crowd) {
    waiting w = after_two_hands(draws, 1ms, 0ms);
    BOOST_TEST(w.rule.is_narrow());
    BOOST_TEST((w.left == all - node_set::just(arbiter)));
    BOOST_TEST((w.rule.listening() == node_set::just(arbiter)));
    // It does not wait for news of the others any more.
    w.held(arbiter, 30s);
    w.gone(arbiter);
    BOOST_TEST(w.attempted);
}

BOOST_AUTO_TEST_CASE(quickly_is_within_half_a_node_timeout) {
    BOOST_TEST(after_two_hands(draws, node_timeout / 2 - 1ns, 0ms).rule.is_narrow());
    BOOST_TEST(!after_two_hands(draws, node_timeout / 2, 0ms).rule.is_narrow());
    BOOST_TEST(after_two_hands(draws, 0ms, node_timeout / 2 - 1ns).rule.is_narrow());
    BOOST_TEST(!after_two_hands(draws, 0ms, node_timeout / 2).rule.is_narrow());
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

BOOST_AUTO_TEST_CASE(slow_nodes_are_looked_at_again_after_twenty_timeouts) {
    lookout rule(nodes, 100ms, draws);
    const lookout::view v{.now = instant(1s), .ready = all, .round_trip = round_trip};
    rule.start(v, {.crowded = false, .arbiter = arbiter}, true, {});
    BOOST_TEST((rule.next(v).listen == all));
    for (unsigned node = 0; node < nodes; ++node) {
        rule.listens(node, true);
        rule.seen_held(node, 30s, v.now);
    }
    BOOST_TEST((rule.next(v).until == v.now + 2s));
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

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
