// The rule by which a key is had of two engines, in every order of events up to some length.

#include "engines/pair/joint_acquisition.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

namespace redlock::pair {
namespace {

using namespace std::chrono_literals;
using action = joint_acquisition::action;
using step = joint_acquisition::step;

constexpr core::nanoseconds ttl = 100ms;
constexpr core::instant begin{1h};
constexpr core::instant end_of_wait = begin + 400ms;

/// A contender, and what the engines have of it, as whoever carries out its steps sees it.
struct course {
    explicit course(bool waits) : rule(waits, end_of_wait), single(!waits) { follow(rule.start()); }

    void follow(const step& s) {
        BOOST_TEST_REQUIRE(!over());
        last = s;
        if (s.gives_back_first) {
            BOOST_TEST_REQUIRE(holds_first);
            holds_first = false;
        }
        BOOST_TEST_REQUIRE(holds_first == (s.what == action::ask_second || s.what == action::take ||
                                           (s.what == action::withdraw_second && asks_second)));
        switch (s.what) {
        case action::ask_first:
            BOOST_TEST_REQUIRE(!is_off);
            BOOST_TEST_REQUIRE((++tries == 1 || (!single && now < end_of_wait)));
            asks_first = true;
            break;
        case action::ask_second:
            BOOST_TEST_REQUIRE(!is_off);
            BOOST_TEST_REQUIRE((s.until <= end_of_wait && s.until <= first.sent_at + ttl / 2));
            asks_second = true;
            break;
        case action::pause:
            BOOST_TEST_REQUIRE((!is_off && !single && s.until >= now && s.until <= end_of_wait));
            break;
        case action::take:
            BOOST_TEST_REQUIRE((has_second && !is_off));
            BOOST_TEST_REQUIRE((rule.granted().sent_at == std::min(first.sent_at, second.sent_at)));
            BOOST_TEST_REQUIRE((rule.granted().sent_at + rule.granted().ttl <=
                                std::min(first.sent_at, second.sent_at) + ttl));
            break;
        case action::end:
            BOOST_TEST_REQUIRE((s.why == errc{}) == is_off);
            break;
        case action::withdraw_second:
            is_withdrawn = true;
            break;
        }
    }

    /// What may happen next; false when there is no such event.
    bool happen(unsigned event) {
        if (over()) return false;
        if (asks_first) return happen_at_first(event);
        if (asks_second) return happen_at_second(event);
        return happen_in_pause(event);
    }

    bool happen_at_first(unsigned event) {
        switch (event) {
        case 0:
        case 1: // of which most of its life is over
            first = {.sent_at = event == 0 ? now : now - 45ms, .ttl = ttl};
            asks_first = false;
            holds_first = true;
            follow(rule.first_granted(first));
            return true;
        case 2:
        case 3:
        case 4:
            if (event == 3) now = std::max(now, end_of_wait);
            asks_first = false;
            follow(rule.first_refused(event == 2   ? errc::no_quorum
                                      : event == 3 ? errc::wait_timeout
                                                   : errc::permission_denied,
                                      now, draws));
            return true;
        default:
            return event == 5 && call_off();
        }
    }

    bool happen_at_second(unsigned event) {
        if (is_withdrawn && event < 2) return false;
        switch (event) {
        case 0:
        case 1: // of no use to whoever wanted it
            BOOST_TEST_REQUIRE(rule.wants_second());
            has_second = true;
            second = {.sent_at = now, .ttl = ttl};
            taken = rule.second_granted(second);
            if (event == 0) {
                asks_second = false;
                follow(taken);
                return true;
            }
            has_second = false;
            follow(rule.came_too_late());
            return true;
        case 2:
        case 3:
        case 4:
            if (event == 3) {
                rule.second_is_held();
                now = std::max(now, last.until);
            }
            refuse_second(event == 2   ? errc::no_quorum
                          : event == 3 ? errc::wait_timeout
                                       : errc::permission_denied);
            return true;
        case 5:
            return call_off();
        case 6:
            if (!rule.wants_second()) return false;
            follow(rule.first_in_doubt());
            return true;
        case 7:
            if (waited || is_withdrawn) return false;
            waited = true;
            rule.second_is_held();
            return true;
        default:
            return false;
        }
    }

    bool happen_in_pause(unsigned event) {
        if (event == 5) return call_off();
        if (event != 0) return false;
        now = std::max(now, last.until);
        follow(rule.time_passed(now));
        return true;
    }

    void refuse_second(errc why) {
        const core::instant last_moment = last.until;
        const bool withdrawn = is_withdrawn;
        asks_second = is_withdrawn = false;
        follow(rule.second_refused(why, now, draws));
        // Whoever waits only goes on behind what passes by itself.
        if (!withdrawn && why == errc::permission_denied && now < last_moment)
            BOOST_TEST_REQUIRE((last.what == action::end));
    }

    bool call_off() {
        if (is_off) return false;
        is_off = true;
        follow(rule.called_off(errc{}));
        return true;
    }

    bool over() const { return last.what == action::take || last.what == action::end; }

    joint_acquisition rule;
    const bool single;
    core::random draws{1};
    core::instant now = begin;
    step last{.what = action::pause};
    step taken{.what = action::pause};
    promise first{}, second{};
    bool holds_first = false, has_second = false;
    bool asks_first = false, asks_second = false;
    bool is_off = false, is_withdrawn = false, waited = false;
    int tries = 0;
};

constexpr unsigned event_count = 8;

/// Nothing when one of the events cannot happen where it stands.
std::optional<course> course_of(bool waits, const std::vector<unsigned>& events) {
    std::optional<course> made(waits);
    for (const unsigned event : events) {
        made->now += 7ms;
        if (!made->happen(event)) return std::nullopt;
    }
    return made;
}

struct tally {
    int taken = 0, ended = 0, open = 0;
};

void enumerate(bool waits, std::vector<unsigned>& events, std::size_t depth, tally& all) {
    const auto here = course_of(waits, events);
    if (!here) return;
    if (here->over() || events.size() == depth) {
        ++(here->last.what == action::take ? all.taken : here->over() ? all.ended : all.open);
        return;
    }
    for (unsigned event = 0; event < event_count; ++event) {
        events.push_back(event);
        enumerate(waits, events, depth, all);
        events.pop_back();
    }
}

BOOST_AUTO_TEST_SUITE(joint_acquisition_suite)

BOOST_AUTO_TEST_CASE(whatever_happens_the_first_is_held_for_a_grant_or_given_back) {
    for (const bool waits : {false, true}) {
        tally all;
        std::vector<unsigned> events;
        enumerate(waits, events, waits ? 7 : 5, all);
        BOOST_TEST(all.taken > 0);
        BOOST_TEST(all.ended > 10);
        // One attempt comes to its end, but for where it is called off, or goes on being asked.
        BOOST_TEST((all.open > 0) == waits);
    }
}

BOOST_AUTO_TEST_CASE(the_smaller_validity_counts) {
    const promise early{.sent_at = begin, .ttl = 100ms}, late{.sent_at = begin + 30ms, .ttl = 100ms};
    for (const promise& both : {smaller(early, late), smaller(late, early)}) {
        BOOST_TEST((both.sent_at == begin));
        BOOST_TEST((both.ttl == 100ms));
    }
    const promise brief{.sent_at = begin + 30ms, .ttl = 20ms};
    BOOST_TEST((smaller(early, brief).sent_at + smaller(early, brief).ttl <= begin + 50ms));
    const promise endless{.sent_at = begin, .ttl = core::nanoseconds::max()};
    BOOST_TEST((smaller(endless, early).ttl == 100ms));
    BOOST_TEST((smaller(endless, endless).sent_at == begin));
}

BOOST_AUTO_TEST_CASE(a_first_that_took_half_its_life_is_asked_for_a_second_at_once) {
    joint_acquisition rule(true, end_of_wait);
    rule.start();
    const step next = rule.first_granted({.sent_at = begin - 80ms, .ttl = ttl});
    BOOST_TEST((next.what == action::ask_second));
    BOOST_TEST((next.until < begin));
}

BOOST_AUTO_TEST_CASE(pauses_grow_and_end_with_the_wait) {
    joint_acquisition rule(true, begin + 10s);
    core::random draws(1);
    core::instant now = begin;
    core::nanoseconds longest{};
    step next = rule.start();
    while (next.what != action::end) {
        next = rule.first_granted({.sent_at = now, .ttl = ttl});
        now = next.until;
        next = rule.second_refused(errc::wait_timeout, now, draws);
        if (next.what == action::end) break;
        BOOST_TEST((next.until - now <= 1s));
        longest = std::max(longest, next.until - now);
        now = next.until;
        next = rule.time_passed(now);
    }
    BOOST_TEST((now >= begin + 10s));
    BOOST_TEST((longest > 400ms));
    BOOST_TEST((next.why == errc::wait_timeout));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::pair
