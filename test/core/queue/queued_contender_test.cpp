// What one that stands in the queues of the nodes does next.

#include "queued_contender_fixture.hpp"

namespace redlock::test::queued {
namespace {

BOOST_FIXTURE_TEST_SUITE(in_the_queues_of_the_nodes, queued_fixture)

BOOST_AUTO_TEST_CASE(it_enters_all_and_shows_itself_again_after_a_quarter_of_a_second) {
    held({0, 1, 2, 3, 4});
    const queued_contender::step s = next();
    BOOST_TEST((s.what == action::sleep && s.until == now + 250ms));
    now = s.until;
    BOOST_TEST((enter_as_told() == node_set::all_of(5)));
    BOOST_TEST((next().what == action::sleep)); // while the answers are on their way
}

BOOST_AUTO_TEST_CASE(far_behind_it_is_enough_to_do_so_more_rarely) {
    held({0, 1, 2, 3, 4}, 50, 9, 10);
    BOOST_TEST((next().until == now + 2s));
    BOOST_TEST((pause_in_queue(0) == 250ms && pause_in_queue(1'000'000) == 3s));
}

BOOST_AUTO_TEST_CASE(it_asks_when_the_key_has_run_out) {
    held({0, 1, 2, 3, 4}, 50, 9, 10, 20ms);
    BOOST_TEST((next().until == now + 22ms));
}

BOOST_AUTO_TEST_CASE(to_a_key_that_is_free_for_a_moment_it_comes_after_others) {
    held({0, 1, 2, 3, 4});
    now += 10ms;
    for (const unsigned node : {0u, 1u})
        rule.set_free(node, {now, ready, hopeless, 200us});
    now += 100us;
    rule.set_free(2, {now, ready, hopeless, 200us});
    rule.look_again(); // as when the key is watched, too
    BOOST_TEST((next().what == action::sleep && next().until == begun + 10ms + 200us));
    now = next().until;
    BOOST_TEST((enter_as_told() == node_set::all_of(5)));
}

BOOST_AUTO_TEST_CASE(while_it_is_free_for_strangers_the_first_looks_now_and_then) {
    for (const unsigned node : {0u, 1u, 2u, 3u, 4u})
        rule.is_open(node, 8ms, 0, {now, ready, hopeless, 200us});
    BOOST_TEST((next().what == action::sleep && next().until == now + 2ms));
    now += 2ms;
    BOOST_TEST((enter_as_told() == node_set::all_of(5)));
    for (const unsigned node : {0u, 1u, 2u, 3u, 4u})
        rule.is_open(node, 300us, 0, {now, ready, hopeless, 200us});
    BOOST_TEST((next().until == now + 200us)); // no more often than it has an answer
    now = next().until;
    enter_as_told();
    for (const unsigned node : {0u, 1u, 2u, 3u, 4u})
        rule.is_open(node, 100us, 0, {now, ready, hopeless, 200us});
    BOOST_TEST((next().until == now + 100us));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_strangers_hold_is_looked_for) {
    held({0, 1}, 0, 11);
    BOOST_TEST(!rule.is_held_by_stranger());
    held({2, 3, 4}, 0, 11);
    BOOST_TEST(rule.is_held_by_stranger());
    for (const nanoseconds pause : {1ms, 1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 250ms, 250ms}) {
        BOOST_TEST((next().what == action::sleep && next().until == now + pause));
        now = next().until;
        enter_as_told();
        held({0, 1, 2, 3, 4}, 0, 11);
    }
    held({0, 1, 2, 3, 4}, 0, 12); // another
    BOOST_TEST((next().until == now + 1ms));
    held({0, 1, 2, 3, 4});
    BOOST_TEST(!rule.is_held_by_stranger());
    BOOST_TEST((next().until == now + 250ms));
}

BOOST_AUTO_TEST_CASE(those_behind_leave_that_to_the_first) {
    for (const unsigned node : {0u, 1u, 2u, 3u, 4u})
        rule.is_open(node, 8ms, 1, {now, ready, hopeless, 200us});
    BOOST_TEST((next().what == action::sleep && next().until == now + 250ms));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_free_is_no_vote) {
    now += 1ms;
    handed({0, 1}, 1ms);
    rule.is_open(1, 8ms, 0, {now, ready, hopeless, 200us});
    BOOST_TEST((rule.votes() == nodes_of({0})));
    handed({2, 3}, 1ms);
    BOOST_TEST((next().what == action::take));
}

BOOST_AUTO_TEST_CASE(a_majority_makes_the_grant_from_the_oldest_that_is_needed_on) {
    held({0, 1, 2, 3, 4});
    now += 300ms;
    handed({0, 1}, 100ms);
    BOOST_TEST((next().what != action::take));
    handed({2}, 201ms);
    BOOST_TEST((next().what == action::take));
    BOOST_TEST((rule.lives_from() == begun + 99ms)); // a millisecond is rounding
    handed({3, 4}, 301ms);
    BOOST_TEST((rule.lives_from() == begun + 200ms));
}

BOOST_AUTO_TEST_CASE(no_life_begins_later_than_now) {
    now += 100ms;
    handed({0, 1, 2}, 5s);
    BOOST_TEST((next().what == action::take));
    BOOST_TEST((rule.lives_from() == now));
}

BOOST_AUTO_TEST_CASE(an_answer_that_it_is_ours_counts_from_the_sending) {
    now += 5ms;
    for (const unsigned node : {0u, 1u, 2u})
        rule.is_ours(node, begun);
    BOOST_TEST((next().what == action::take));
    BOOST_TEST((rule.lives_from() == begun));
}

BOOST_AUTO_TEST_CASE(a_vote_counts_for_the_life_that_was_asked_for_and_no_longer) {
    held({0, 1, 2, 3, 4});
    now += 50ms;
    ready = nodes_of({3, 4}); // so that it is not refreshed
    handed({0, 1}, 0ms);
    now = begun + 490ms;
    handed({2}, 480ms);
    BOOST_TEST((next().what == action::take));
    now = begun + 494ms; // less the drift of 7 ms
    BOOST_TEST((next().what != action::take));
    BOOST_TEST((rule.votes() == nodes_of({2})));
}

BOOST_AUTO_TEST_CASE(what_it_was_handed_it_keeps_alive) {
    held({0, 1, 2, 3, 4});
    now += 10ms;
    handed({0}, 11ms);
    // First it looks why the others do not follow.
    queued_contender::step s = next();
    BOOST_TEST((s.until == now + 1ms));
    now = s.until;
    BOOST_TEST((enter_as_told() == nodes_of({1, 2, 3, 4})));
    held({1, 2, 3, 4});
    now += handed_life / 3;
    BOOST_TEST((next().nodes.has(0)));
}

BOOST_AUTO_TEST_CASE(whoever_has_it_there_after_all_takes_the_vote_away) {
    handed({0, 1});
    held({1});
    BOOST_TEST((rule.votes() == nodes_of({0})));
    BOOST_TEST((next().nodes.has(1)));
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_answer_is_asked_again_after_its_timeout) {
    held({1, 2, 3, 4});
    rule.failed(0, now);
    BOOST_TEST((next().until == now + 50ms));
    now += 50ms;
    BOOST_TEST((enter_as_told() == nodes_of({0})));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_back_is_entered_again) {
    held({1, 2, 3, 4});
    ready.remove(0);
    rule.failed(0, now);
    now += 100ms;
    BOOST_TEST((next().what == action::sleep));
    ready.add(0);
    rule.lost_sight_of(0);
    BOOST_TEST((enter_as_told() == nodes_of({0})));
}

BOOST_AUTO_TEST_CASE(where_most_keep_no_queue_it_fails) {
    hopeless = nodes_of({0, 1});
    BOOST_TEST((next().what != action::fail));
    hopeless.add(4);
    BOOST_TEST((next().what == action::fail));
}

BOOST_AUTO_TEST_CASE(it_looks_again_when_the_key_may_have_become_free_untold) {
    held({0, 1, 2, 3, 4});
    rule.look_again();
    BOOST_TEST((enter_as_told() == node_set::all_of(5)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test::queued
