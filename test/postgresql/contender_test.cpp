// What a contender for a row does next, for all courses of events up to a length.

#include "engines/sql/contender.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <vector>

namespace redlock::sql {
namespace {

using namespace std::chrono_literals;
using action = contender::action;
using core::instant;

constexpr instant begin{1h};
constexpr instant patience_ends = begin + 10s;
constexpr verdict granted{.what = verdict::kind::granted};
constexpr verdict held{.what = verdict::kind::held, .ends_in = 2s};
constexpr verdict busy{.what = verdict::kind::busy};
constexpr verdict away{.what = verdict::kind::failed, .why = errc::no_quorum};
constexpr verdict forbidden{.what = verdict::kind::failed, .why = errc::permission_denied};

struct contender_fixture {
    contender waiting{true, patience_ends}, impatient{false, begin};
    core::random draws{1};
};

BOOST_FIXTURE_TEST_SUITE(contender_suite, contender_fixture)

BOOST_AUTO_TEST_CASE(one_attempt_asks_and_ends_with_what_it_was_told) {
    BOOST_TEST((impatient.start(begin, begin + 1s).what == action::ask));
    const auto s = impatient.answered(held, begin, draws);
    BOOST_TEST((s.what == action::end));
    BOOST_TEST((s.why == errc::held));
}

BOOST_AUTO_TEST_CASE(one_attempt_looks_again_at_a_row_that_somebody_touches_and_then_takes_it_for_held) {
    impatient.start(begin, begin);
    instant now = begin;
    int looks = 0;
    auto s = impatient.answered(busy, now, draws);
    for (; s.what == action::sleep; ++looks) {
        BOOST_TEST((s.until - now <= 20ms));
        now = s.until;
        BOOST_TEST((impatient.time_passed(now).what == action::ask));
        s = impatient.answered(busy, now, draws);
    }
    BOOST_TEST(looks == 3);
    BOOST_TEST((s.why == errc::held));
}

BOOST_AUTO_TEST_CASE(who_waits_sees_to_being_told_and_asks_once_more_before_it_sleeps) {
    BOOST_TEST((waiting.start(begin, begin).what == action::ask));
    BOOST_TEST((waiting.answered(held, begin, draws).what == action::listen));
    BOOST_TEST((waiting.listening(true).what == action::ask));
    const auto s = waiting.answered(held, begin, draws);
    BOOST_TEST((s.what == action::sleep));
    BOOST_TEST((s.until == begin + 2s));
    BOOST_TEST((waiting.told().what == action::ask));
    BOOST_TEST((waiting.answered(granted, begin + 1s, draws).what == action::take));
}

BOOST_AUTO_TEST_CASE(what_is_told_while_it_asks_is_not_forgotten) {
    waiting.start(begin, begin);
    waiting.answered(held, begin, draws);
    waiting.listening(true);
    BOOST_TEST((waiting.told().what == action::go_on));
    BOOST_TEST((waiting.answered(held, begin, draws).what == action::ask));
    BOOST_TEST((waiting.answered(held, begin, draws).what == action::sleep));
}

BOOST_AUTO_TEST_CASE(without_being_told_it_looks_every_now_and_then) {
    waiting.start(begin, begin);
    waiting.answered(held, begin, draws);
    BOOST_TEST((waiting.listening(false).what == action::ask));
    const auto s = waiting.answered(held, begin, draws);
    BOOST_TEST((s.until > begin && s.until <= begin + 100ms));
    // Told at last, it asks, for it missed what came before.
    BOOST_TEST((waiting.listening(true).what == action::ask));
    BOOST_TEST((waiting.answered(held, begin, draws).until == begin + 2s));
}

BOOST_AUTO_TEST_CASE(a_database_that_goes_away_ends_the_call_unless_it_waits_for_a_holder) {
    contender fresh(true, patience_ends);
    fresh.start(begin, begin);
    BOOST_TEST((fresh.answered(away, begin, draws).what == action::end));
    waiting.start(begin, begin);
    waiting.answered(held, begin, draws);
    waiting.listening(true);
    const auto s = waiting.answered(away, begin, draws);
    BOOST_TEST((s.what == action::sleep));
    BOOST_TEST((s.until <= begin + 1s));
    waiting.time_passed(s.until);
    BOOST_TEST((waiting.answered(forbidden, s.until, draws).why == errc::permission_denied));
}

BOOST_AUTO_TEST_CASE(others_are_let_go_first_by_who_may_wait) {
    const auto s = waiting.start(begin, begin + 50ms);
    BOOST_TEST((s.what == action::sleep));
    BOOST_TEST((s.until == begin + 50ms));
    BOOST_TEST(!waiting.has_waited());
    BOOST_TEST((waiting.time_passed(s.until).what == action::ask));
}

/// All courses of events, `left` more of them.
struct courses {
    core::random draws{7};
    std::size_t ended = 0, slept = 0;

    void go(const contender& from, contender::step s, instant now, int left) {
        switch (s.what) {
        case action::take:
            ++ended;
            return;
        case action::end:
            ++ended;
            BOOST_TEST_REQUIRE((s.why != errc{}));
            // In good time for its caller, and not before it had to.
            if (s.why == errc::wait_timeout) BOOST_TEST_REQUIRE((now >= patience_ends));
            return;
        case action::sleep:
            ++slept;
            BOOST_TEST_REQUIRE((s.until <= patience_ends));
            BOOST_TEST_REQUIRE((s.until >= now));
            break;
        default:
            break;
        }
        if (left == 0) return;
        const auto each = [&](auto event, core::nanoseconds later) {
            contender next = from;
            const contender::step then = event(next, now + later);
            if (then.what == action::go_on) return;
            go(next, then, now + later, left - 1);
        };
        if (s.what == action::ask) {
            for (const bool is_told : {false, true})
                for (const verdict& v : {granted, held, busy, away, forbidden})
                    for (const core::nanoseconds later : {core::nanoseconds(1ms), core::nanoseconds(10s)})
                        each(
                            [&](contender& c, instant at) {
                                if (is_told) BOOST_TEST_REQUIRE((c.told().what == action::go_on));
                                const auto then = c.answered(v, at, draws);
                                // Whoever was told of a release meanwhile never sleeps on an old refusal.
                                const bool sleeps_on =
                                    is_told && v.what == verdict::kind::held && then.what == action::sleep;
                                BOOST_TEST_REQUIRE(!sleeps_on);
                                return then;
                            },
                            later);
            return;
        }
        for (const bool can : {true, false})
            each([&](contender& c, instant) { return c.listening(can); }, 1ms);
        each([](contender& c, instant) { return c.told(); }, 1ms);
        each([](contender& c, instant at) { return c.time_passed(at); }, s.until - now);
    }
};

BOOST_AUTO_TEST_CASE(no_course_of_events_leaves_it_asleep_for_too_long_or_ends_without_a_reason) {
    courses all;
    contender c(true, patience_ends);
    const auto first = c.start(begin, begin);
    all.go(c, first, begin, 6);
    BOOST_TEST(all.ended > 1000u);
    BOOST_TEST(all.slept > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::sql
