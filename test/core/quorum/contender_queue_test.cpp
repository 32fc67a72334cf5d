// A contender that stands in the queues of the nodes.

#include "contender_fixture.hpp"

namespace redlock::test {

using namespace contenders;

namespace {

constexpr crowd in_queues{.contested = true,
                          .crowded = false,
                          .majority_tells = true,
                          .round_trip = 2ms,
                          .usual_round_trip = 1ms,
                          .queues = true,
                          .told = true};
crowd untold_in_queues() {
    crowd all = in_queues;
    all.told = false;
    return all;
}

round_result refused_where_queues_are(unsigned yes, unsigned no, bool queues = true) {
    round_result r = round_of(yes, no, true);
    r.queues = queues;
    return r;
}

/// One that was refused, and was told to enter the queues.
contender queued() {
    contender c = asking(patient());
    const step next = c.decided(refused_where_queues_are(0, 0b111), begin, false, instant::max());
    BOOST_REQUIRE((next.what == action::queue));
    return c;
}

} // namespace

BOOST_AUTO_TEST_SUITE(contender_in_queues)

BOOST_AUTO_TEST_CASE(whoever_is_refused_queues_up_and_keeps_no_votes) {
    for (unsigned yes = 0; yes < 8; ++yes) {
        contender c = asking(patient());
        const round_result r = refused_where_queues_are(yes, 0b111 & ~yes);
        const step next = c.decided(r, begin, false, begin + 10ms);
        if (next.what == action::take) continue;
        BOOST_TEST((next.what == action::queue));
        BOOST_TEST((next.until == patient().wait_until));
        BOOST_TEST(next.gives_way);
        BOOST_TEST(!c.keeps_votes());
        BOOST_TEST(c.has_queued());
        BOOST_TEST((c.handed_over(true).what == action::take));
    }
}

BOOST_AUTO_TEST_CASE(where_there_are_none_it_watches) {
    contender c = asking(patient());
    BOOST_TEST((c.decided(refused_where_queues_are(0, 0b111, false), begin, false, instant::max()).what ==
                action::watch));
    BOOST_TEST(!c.has_queued());
}

BOOST_AUTO_TEST_CASE(a_newcomer_queues_up_without_a_try_where_others_want_the_key) {
    contender c(patient(), nodes);
    const step pause = c.start(begin, in_queues);
    BOOST_TEST((pause.what == action::pause));
    BOOST_TEST((pause.until == begin + 200us));
    const step next = c.time_passed(pause.until, in_queues, true);
    BOOST_TEST((next.what == action::queue && next.until == patient().wait_until));
    BOOST_TEST(c.has_queued());
    // Nobody else wants it any more.
    contender alone(patient(), nodes);
    const step first = alone.start(begin, in_queues);
    BOOST_TEST((alone.time_passed(first.until, nobody, true).what == action::enter));
    BOOST_TEST(!alone.has_queued());
}

// Who comes late to the queues leaves whoever has the key with nobody to hand it to.
BOOST_AUTO_TEST_CASE(a_newcomer_stays_out_of_the_way_for_no_longer_than_a_hand_over_takes) {
    const auto waits_for = [](crowd others, instant not_before = instant::min()) {
        contender c(patient(), nodes);
        return c.start(begin, others, not_before).until - begin;
    };
    crowd near = in_queues;
    near.usual_round_trip = 50us;
    BOOST_TEST((waits_for(near) == 50us));
    near.crowded = true;
    BOOST_TEST((waits_for(near) == 50us));
    crowd far = in_queues;
    far.usual_round_trip = far.round_trip = 80ms;
    BOOST_TEST((waits_for(far) == 200us));
    // Who is told nothing asks whose turn it is, and so does one that was told to let others go first.
    BOOST_TEST((waits_for(untold_in_queues()) == 4ms));
    BOOST_TEST((waits_for(in_queues, begin + 3ms) == 3ms));
}

BOOST_AUTO_TEST_CASE(who_was_handed_the_key_still_wants_its_token) {
    contender c = queued();
    BOOST_TEST((c.handed_over(false).what == action::get_token));
    round_result r = round_of(0b111, 0);
    BOOST_TEST((c.token_decided(r, begin, false, instant::max()).what == action::take));
    // Somebody else has it by then: back into the queues.
    for (const bool token_refused : {false, true}) {
        contender again = queued();
        (void)again.handed_over(false);
        r.has_token = false;
        r.token_refused = token_refused;
        const step next = again.token_decided(r, begin, false, instant::max());
        BOOST_TEST((next.what == action::queue));
        BOOST_TEST(next.gives_way);
        BOOST_TEST((again.why_refused().why == (token_refused ? errc::held : errc::no_quorum)));
    }
}

BOOST_AUTO_TEST_CASE(a_grant_that_came_too_late_leads_back_into_the_queues) {
    contender c = queued();
    BOOST_TEST((c.handed_over(true).what == action::take));
    const step next = c.came_too_late(begin, false);
    BOOST_TEST((next.what == action::queue && next.gives_way));
    BOOST_TEST((c.why_refused().why == errc::no_quorum));
}

BOOST_AUTO_TEST_CASE(where_they_fail_it_leaves_them_and_watches) {
    contender c = queued();
    const step next = c.queues_failed();
    BOOST_TEST((next.what == action::watch && next.until == patient().wait_until));
    BOOST_TEST(next.gives_way);
    BOOST_TEST(!c.has_queued());
    BOOST_TEST((c.may_be_free(true).what == action::enter));
    BOOST_TEST((c.admitted().what == action::ask));
    BOOST_TEST((c.decided(round_of(0, 0b111), begin, true, instant::max()).what == action::watch));
    // Nodes that go away are not waited for unless it waits already.
    contender other = queued();
    (void)other.queues_failed();
    (void)other.may_be_free(true);
    (void)other.admitted();
    BOOST_TEST((other.decided(round_of(0, 0), begin, false, instant::max()).why == errc::no_quorum));
}

BOOST_AUTO_TEST_CASE(at_its_end_it_leaves_them_and_makes_a_last_try) {
    const instant end = patient().wait_until;
    for (const bool settled : {false, true}) {
        contender c = queued();
        const step last = c.time_passed(end, in_queues, settled);
        BOOST_TEST((last.what == (settled ? action::enter : action::await_replies)));
        BOOST_TEST(last.gives_way);
        if (!settled) BOOST_TEST((c.replies_came(true).what == action::enter));
        BOOST_TEST((c.admitted().what == action::ask));
        const step refused = c.decided(refused_where_queues_are(0, 0b111), end, false, instant::max());
        BOOST_TEST((refused.what == action::end && refused.why == errc::wait_timeout && refused.gives_way));
    }
}

// Who has stood there bears nodes that go away.
BOOST_AUTO_TEST_CASE(who_queues_waits_on_while_no_node_is_there) {
    contender gone = asking(patient());
    BOOST_TEST((gone.decided(round_of(0, 0), begin, false, instant::max()).what == action::end));
    contender came_late = queued();
    (void)came_late.handed_over(true);
    BOOST_TEST((came_late.came_too_late(patient().wait_until - 1ns, false).what == action::queue));
    contender at_the_end = queued();
    (void)at_the_end.handed_over(true);
    const step end = at_the_end.came_too_late(patient().wait_until, false);
    BOOST_TEST((end.what == action::end && end.why == errc::no_quorum));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
