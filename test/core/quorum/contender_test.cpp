#include "contender_fixture.hpp"

#include <cstddef>
#include <set>
#include <vector>

namespace redlock::test {

using namespace contenders;

BOOST_AUTO_TEST_SUITE(contender_suite)

BOOST_AUTO_TEST_CASE(whoever_is_alone_asks_at_once_and_takes) {
    contender c = asking(patient());
    const step next = c.decided(round_of(0b011, 0), begin, false, instant::max());
    BOOST_TEST((next.what == action::take));
    BOOST_TEST(!next.gives_way);
}

BOOST_AUTO_TEST_CASE(a_newcomer_pauses_and_looks_before_it_tries) {
    contender c(patient(), nodes);
    const step pause = c.start(begin, somebody);
    BOOST_TEST((pause.what == action::pause));
    BOOST_TEST((pause.until == begin + 4 * somebody.usual_round_trip));
    const step look = c.time_passed(pause.until, somebody, true);
    BOOST_TEST((look.what == action::watch));
    BOOST_TEST((look.until == patient().wait_until));
    BOOST_TEST((c.may_be_free(true).what == action::enter));
}

BOOST_AUTO_TEST_CASE(in_a_crowd_a_pause_takes_real_round_trips) {
    crowd many = somebody;
    many.crowded = true;
    contender c(patient(), nodes);
    BOOST_TEST((c.start(begin, many).until == begin + 4 * many.round_trip));
}

BOOST_AUTO_TEST_CASE(who_holds_off_waits_no_longer_than_others_need_to_be_told) {
    BOOST_TEST((contender(patient(), nodes).start(begin, nobody, begin + 30ms).until == begin + 30ms));
    BOOST_TEST((contender(patient(), nodes).start(begin, somebody, begin + 30ms).until == begin + 4ms));
}

BOOST_AUTO_TEST_CASE(a_single_attempt_never_waits) {
    for (unsigned yes = 0; yes < 8; ++yes)
        for (unsigned no = 0; no < 8; ++no) {
            if ((yes & no) != 0) continue;
            contender c = asking(one_attempt());
            const step next = c.decided(round_of(yes, no), begin, false, instant::max());
            BOOST_TEST((next.what == action::take || next.what == action::end));
            if (next.what == action::end) BOOST_TEST(next.gives_way);
            if (next.what == action::end && next.why != errc::no_quorum) BOOST_TEST((next.why == errc::held));
        }
}

BOOST_AUTO_TEST_CASE(a_token_that_is_missing_is_asked_for_and_one_that_is_refused_means_held) {
    contender c = asking(patient());
    round_result r = round_of(0b111, 0);
    r.has_token = false;
    BOOST_TEST((c.decided(r, begin, false, instant::max()).what == action::get_token));
    r.token_refused = true;
    const step next = c.token_decided(r, begin, false, instant::max());
    BOOST_TEST((next.what == action::watch));
    BOOST_TEST(next.gives_way);
    BOOST_TEST((c.why_refused().why == errc::held));
    BOOST_TEST(c.why_refused().reached);
}

BOOST_AUTO_TEST_CASE(of_a_split_vote_just_one_contender_keeps_its_votes) {
    // All ways in which three nodes can be divided among three contenders, each node in one hand. Whatever
    // the order of the nodes is, all compute the same arbiter.
    for (unsigned arbiter = 0; arbiter < nodes; ++arbiter)
        for (unsigned hands = 0; hands < 27; ++hands) {
            unsigned votes[3] = {0, 0, 0};
            unsigned rest = hands;
            for (unsigned node = 0; node < nodes; ++node, rest /= 3)
                votes[rest % 3] |= 1u << node;
            unsigned keepers = 0;
            bool granted = false;
            for (const unsigned yes : votes) {
                unsigned others = 0;
                for (const unsigned other : votes)
                    others += other != yes && other != 0;
                round_result r = round_of(yes, 0b111 & ~yes, others > 1);
                r.arbiter = arbiter;
                contender c = asking(patient());
                const step next = c.decided(r, begin, true, begin + 10ms);
                granted |= next.what == action::take;
                keepers += c.keeps_votes();
                if (next.what == action::watch) BOOST_TEST(next.gives_way != c.keeps_votes());
                if (c.keeps_votes()) BOOST_TEST((next.until == begin + 10ms));
            }
            BOOST_TEST(keepers == (granted ? 0u : 1u));
        }
}

BOOST_AUTO_TEST_CASE(votes_are_kept_three_times_in_a_row_and_until_then) {
    contender c = asking(patient());
    const round_result split = round_of(0b001, 0b110, true);
    for (int kept = 0; kept < 3; ++kept) {
        BOOST_TEST(!c.decided(split, begin, true, begin + 10ms).gives_way);
        BOOST_TEST(c.keeps_votes());
        BOOST_TEST((c.may_be_free(false).what == action::ask)); // its place on the wire is still its own
    }
    BOOST_TEST(c.decided(split, begin, true, begin + 10ms).gives_way);
    // Once it has given way it may keep them as often again.
    BOOST_TEST((c.may_be_free(true).what == action::enter));
    BOOST_TEST((c.admitted().what == action::ask));
    BOOST_TEST(!c.decided(split, begin, true, begin + 10ms).gives_way);
    BOOST_TEST(c.keeps_votes());

    contender other = asking(patient());
    (void)other.decided(split, begin, true, begin + 10ms);
    const step tired = other.time_passed(begin + 10ms, somebody, true);
    BOOST_TEST((tired.what == action::watch));
    BOOST_TEST(tired.gives_way);
    BOOST_TEST(!other.keeps_votes());
    BOOST_TEST((other.may_be_free(true).what == action::enter)); // its place went with the votes
}

BOOST_AUTO_TEST_CASE(who_waits_bears_nodes_that_go_away_and_who_does_not_says_so) {
    const round_result nobody_there = round_of(0b001, 0);
    contender waiting = asking(patient());
    BOOST_TEST((waiting.decided(nobody_there, begin, true, instant::max()).what == action::watch));
    contender first = asking(patient());
    const step next = first.decided(nobody_there, begin, false, instant::max());
    BOOST_TEST((next.what == action::end));
    BOOST_TEST((next.why == errc::no_quorum));
    BOOST_TEST(next.gives_way);
}

BOOST_AUTO_TEST_CASE(a_grant_that_came_too_late_is_none) {
    contender c = asking(patient());
    BOOST_TEST((c.decided(round_of(0b111, 0), begin, false, instant::max()).what == action::take));
    const step next = c.came_too_late(begin, false);
    BOOST_TEST((next.what == action::end));
    BOOST_TEST((next.why == errc::no_quorum));
    BOOST_TEST(next.gives_way);
}

namespace {

/// Follows every course of at most `left` events, and looks at each step.
struct explorer {
    void look(const contender& c, const step& s, instant now, unsigned left, bool last_try) {
        ++steps;
        seen.insert(s.what);
        BOOST_REQUIRE((s.until <= patient().wait_until || s.what == action::ask ||
                       s.what == action::await_replies || s.what == action::get_token ||
                       s.what == action::take || s.what == action::end));
        // Votes are kept on the way to a watch and to asking again, nowhere else.
        if (c.keeps_votes())
            BOOST_REQUIRE((s.what == action::watch || s.what == action::ask || s.what == action::enter));
        if (s.what == action::end || s.what == action::take || left == 0) return;
        go_on(c, s, now, left - 1, last_try);
    }

    void go_on(const contender& c, const step& s, instant now, unsigned left, bool last_try) {
        contender ended = c;
        BOOST_REQUIRE(ended.ended(errc::closed).gives_way);
        if (s.what == action::ask || s.what == action::get_token) {
            for (const round_result& r : rounds) {
                contender next = c;
                const step decided = s.what == action::ask ? next.decided(r, now, true, now + 5ms)
                                                           : next.token_decided(r, now, true, now + 5ms);
                // Behind the last try there is none.
                if (last_try) BOOST_REQUIRE((decided.what != action::watch));
                look(next, decided, now, left, last_try);
            }
            return;
        }
        if (s.what == action::watch) {
            contender next = c;
            look(next, next.may_be_free(left % 2 == 0), now, left, last_try);
        }
        if (s.what == action::await_replies) {
            contender early = c;
            BOOST_REQUIRE((early.replies_came(false).what == action::await_replies));
            contender next = c;
            return look(next, next.replies_came(true), now, left, last_try);
        }
        if (s.what == action::enter) {
            contender next = c;
            look(next, next.admitted(), now, left, last_try);
        }
        if (s.until == instant::max()) return;
        contender next = c;
        const step later = next.time_passed(s.until, somebody, true);
        look(next, later, s.until, left, last_try || s.until >= patient().wait_until);
    }

    std::vector<round_result> rounds{round_of(0b011, 0),           round_of(0, 0b111),
                                     round_of(0b001, 0b110, true), round_of(0b010, 0b101, true),
                                     round_of(0b100, 0),           round_of(0, 0)};
    std::set<action> seen;
    std::size_t steps = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(no_course_of_events_leads_astray) {
    explorer all;
    for (const crowd& others : {nobody, somebody}) {
        contender c(patient(), nodes);
        const step first = c.start(begin, others);
        all.look(c, first, begin, 14, false);
    }
    BOOST_TEST_MESSAGE(all.steps << " steps");
    BOOST_TEST(all.steps > 10'000u);
    for (const action a : {action::pause, action::watch, action::await_replies, action::enter, action::ask,
                           action::take, action::end})
        BOOST_TEST(all.seen.count(a) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
