#include "contender_fixture.hpp"

namespace redlock::test {

using namespace contenders;

BOOST_AUTO_TEST_SUITE(contender_refusal)

BOOST_AUTO_TEST_CASE(a_vote_is_split_when_nobody_else_has_a_majority_as_far_as_is_known) {
    BOOST_TEST(is_split(round_of(0b001, 0b010), nodes));
    BOOST_TEST(!is_split(round_of(0b001, 0b110), nodes));
    BOOST_TEST(is_split(round_of(0b001, 0b110, true), nodes));
    BOOST_TEST(!is_split(round_of(0, 0b111, true), nodes));
    BOOST_TEST(!is_split(round_of(0, 0b001), nodes));
}

BOOST_AUTO_TEST_CASE(why_a_round_was_refused_can_be_told) {
    const auto refusal_of = [](round_result r, bool raced = false) {
        contender c = asking(patient());
        r.raced = raced;
        (void)c.decided(r, begin, true, instant::max());
        return c.why_refused();
    };
    const contender::refusal by_a_holder = refusal_of(round_of(0, 0b111));
    BOOST_TEST((by_a_holder.why == errc::held && by_a_holder.reached));
    BOOST_TEST((!by_a_holder.split && !by_a_holder.lost_race));
    BOOST_TEST(refusal_of(round_of(0, 0b111), true).lost_race);
    const contender::refusal by_the_faster = refusal_of(round_of(0b001, 0b110));
    BOOST_TEST((by_the_faster.split && !by_the_faster.lost_race));
    const contender::refusal by_rivals = refusal_of(round_of(0b001, 0b110, true));
    BOOST_TEST((by_rivals.split && by_rivals.lost_race));
    const contender::refusal for_want_of_nodes = refusal_of(round_of(0b001, 0), true);
    BOOST_TEST((for_want_of_nodes.why == errc::no_quorum && !for_want_of_nodes.reached));
    BOOST_TEST((!for_want_of_nodes.split && !for_want_of_nodes.lost_race));
}

BOOST_AUTO_TEST_CASE(without_its_token_a_key_is_nobodys) {
    contender c = asking(patient());
    round_result r = round_of(0b111, 0);
    r.has_token = false;
    (void)c.decided(r, begin, false, instant::max());
    const step next = c.token_decided(r, begin, false, instant::max());
    BOOST_TEST((next.what == action::end && next.why == errc::no_quorum && next.gives_way));
    BOOST_TEST(!c.why_refused().reached);
    BOOST_TEST(!c.why_refused().split);
}

BOOST_AUTO_TEST_CASE(at_the_end_of_the_wait_it_ends_with_what_it_found) {
    const instant end = patient().wait_until;
    const auto reason_at = [](instant now, const round_result& r) {
        contender c = asking(patient());
        const step next = c.decided(r, now, true, instant::max());
        return next.what == action::end ? next.why : errc{};
    };
    BOOST_TEST((reason_at(end - 1ns, round_of(0, 0b111)) == errc{}));
    BOOST_TEST((reason_at(end, round_of(0, 0b111)) == errc::wait_timeout));
    BOOST_TEST((reason_at(end - 1ns, round_of(0, 0)) == errc{}));
    BOOST_TEST((reason_at(end, round_of(0, 0)) == errc::no_quorum));
    // Neither a pause nor a wait for a place lasts longer.
    BOOST_TEST((contender(patient(), nodes).start(begin, nobody, end + 1ms).until == end));
    BOOST_TEST((contender(patient(), nodes).start(begin, nobody).until == end));
    BOOST_TEST((contender(one_attempt(), nodes).start(begin, somebody).until == instant::max()));
    contender waits = asking(patient());
    (void)waits.decided(round_of(0, 0b111), begin, true, instant::max());
    BOOST_TEST((waits.time_passed(end, nobody, true).what == action::enter)); // a last try
    BOOST_TEST((waits.time_passed(end, nobody, true).why == errc::wait_timeout));
}

BOOST_AUTO_TEST_CASE(it_is_over_once_it_has_ended_and_not_before) {
    const instant end = patient().wait_until;
    contender refused = asking(patient());
    (void)refused.decided(round_of(0, 0b111), end - 1ns, true, instant::max());
    BOOST_TEST(!refused.is_over());
    (void)refused.time_passed(end, nobody, true); // a last try
    BOOST_TEST(!refused.is_over());
    (void)refused.time_passed(end, nobody, true);
    BOOST_TEST(refused.is_over());

    contender timed_out = asking(patient());
    (void)timed_out.decided(round_of(0, 0b111), end, true, instant::max());
    BOOST_TEST(timed_out.is_over());

    contender given_up = asking(patient());
    (void)given_up.ended(errc::closed);
    BOOST_TEST(given_up.is_over());

    contender granted = asking(patient());
    (void)granted.decided(round_of(0b111, 0), begin, false, instant::max());
    BOOST_TEST(granted.is_over());
    // Too late for its lease: it wants the key as before.
    (void)granted.came_too_late(begin, true);
    BOOST_TEST(!granted.is_over());

    contender without_token = asking(patient());
    round_result r = round_of(0b111, 0);
    r.has_token = false;
    (void)without_token.decided(r, begin, false, instant::max());
    BOOST_TEST(!without_token.is_over());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
