#include "lookout_fixture.hpp"

#include <cstddef>

namespace redlock::test {

using namespace lookouts;

BOOST_FIXTURE_TEST_SUITE(lookout_in_a_crowd, lookout_fixture)

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

BOOST_AUTO_TEST_CASE(alone_with_the_arbiter_it_looks_at_the_others_when_nothing_is_heard) {
    waiting w(draws);
    w.start(true);
    w.held(arbiter, 30s);
    w.sleep();
    BOOST_TEST(!w.attempted);
    BOOST_TEST(!w.rule.is_narrow());
    BOOST_TEST((w.looked == all));
    BOOST_TEST((w.listened == all - node_set::just(arbiter)));
}

BOOST_AUTO_TEST_CASE(alone_with_the_arbiter_it_tries_when_the_key_runs_out_there) {
    waiting w(draws);
    w.start(true);
    w.held(arbiter, 10ms);
    BOOST_TEST((w.until == w.now + 12ms));
    w.sleep();
    BOOST_TEST(w.attempted);
    BOOST_TEST(w.rule.first_to_ask().value() == arbiter);
}

BOOST_AUTO_TEST_CASE(it_waits_a_moment_for_the_arbiter_and_counts_nobody) {
    waiting w(draws);
    w.start();
    w.rule.counted(5);
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(2);
    w.sleep();
    BOOST_REQUIRE(w.attempted);
    for (unsigned node = 0; node < nodes; ++node)
        w.rule.sight().taken(node);
    w.rule.sight().refused_for(1);
    w.refused(true);
    BOOST_TEST(!w.rule.is_narrow()); // it was held for long, as far as is known
    w.held_everywhere(30s);
    w.gone(0);
    w.gone(2);
    BOOST_TEST(!w.attempted);
    BOOST_TEST(!w.counts);
    BOOST_TEST((w.until == w.now + node_timeout / 8));
    BOOST_TEST(!w.rule.first_to_ask().has_value());
    w.gone(arbiter);
    BOOST_TEST(w.rule.first_to_ask().value() == arbiter);
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

BOOST_AUTO_TEST_CASE(whoever_has_others_before_him_asks_the_arbiter_first) {
    for (const unsigned before : {0u, 1u, 2u}) {
        waiting w(draws);
        w.start();
        w.rule.counted(before);
        w.held_everywhere(30s);
        for (unsigned node = 0; node < nodes; ++node)
            w.gone(node);
        BOOST_TEST(w.rule.first_to_ask().has_value() == (before > 0));
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
