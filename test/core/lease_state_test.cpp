#include "core/lease_state.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <tuple>

using namespace redlock;
using namespace redlock::core;
using namespace std::chrono_literals;

namespace {

constexpr instant start{std::chrono::hours(1)};

lease_terms terms_of(nanoseconds ttl) { return {.ttl = ttl, .stop_margin = ttl / 10, .drift = {}}; }

} // namespace

BOOST_AUTO_TEST_SUITE(state_of_a_lease)

BOOST_AUTO_TEST_CASE(stop_comes_a_margin_before_the_end_of_the_validity) {
    const lease_state lease(terms_of(10s), start, start + 5ms);
    BOOST_TEST((lease.valid_until() == start + 9898ms - 1ns));
    BOOST_TEST((lease.stop_at() == lease.valid_until() - 1s));
    BOOST_TEST((lease.phase() == lease_phase::held));
}

BOOST_AUTO_TEST_CASE(renewal_is_due_after_a_third_of_the_ttl_give_or_take_a_tenth) {
    core::random r(3);
    nanoseconds earliest = 10s;
    nanoseconds latest = 0s;
    for (int i = 0; i < 1000; ++i) {
        lease_state lease(terms_of(9s), start, start);
        const nanoseconds due = lease.next_renewal(r) - start;
        earliest = std::min(earliest, due);
        latest = std::max(latest, due);
    }
    BOOST_TEST((earliest >= 2700ms && earliest < 2750ms));
    BOOST_TEST((latest < 3300ms && latest > 3250ms));
}

// So that those that come close together share a command, and other clients do not come at the same time.
BOOST_AUTO_TEST_CASE(renewals_of_one_ttl_come_at_few_instants_which_a_phase_moves) {
    core::random r(3);
    constexpr nanoseconds step = nanoseconds(3s) / 64;
    for (const nanoseconds phase : {0ns, 1ns, 17'000'000ns, 999'999'999ns})
        for (int i = 0; i < 100; ++i) {
            lease_state lease(terms_of(9s), start + i * 1ms, start + i * 1ms);
            const auto due = lease.next_renewal(r, phase);
            BOOST_TEST(((due.time_since_epoch() - phase) % step == 0ns));
        }
    // The end of time stays where it is told apart from never.
    lease_state endless(terms_of(nanoseconds::max() / 2), instant::max() - 1s, instant::max() - 1s);
    BOOST_TEST((endless.next_renewal(r, 999'999'999ns) > start));
}

BOOST_AUTO_TEST_CASE(a_confirmed_round_counts_from_its_sending) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start);
    lease.sending(start + 3s);
    lease.confirmed(start + 3s);
    BOOST_TEST((lease.valid_until() == start + 3s + 9898ms - 1ns));
    BOOST_TEST((lease.next_renewal(r) > start + 6s));
}

BOOST_AUTO_TEST_CASE(an_older_round_that_is_confirmed_late_takes_nothing_away) {
    lease_state lease(terms_of(10s), start, start);
    lease.confirmed(start + 3s);
    lease.confirmed(start + 1s);
    BOOST_TEST((lease.valid_until() == start + 3s + 9898ms - 1ns));
}

BOOST_AUTO_TEST_CASE(failed_rounds_are_retried_soon_and_ever_more_rarely_until_one_is_confirmed) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start);
    lease.inconclusive(start + 4s);
    BOOST_TEST((lease.next_renewal(r) - (start + 4s) <= 10ms));
    for (int i = 0; i < 20; ++i)
        (void)lease.next_renewal(r);
    const nanoseconds patient = lease.next_renewal(r) - (start + 4s);
    BOOST_TEST((patient >= 125ms && patient <= 250ms));
    lease.confirmed(start + 5s);
    BOOST_TEST((lease.next_renewal(r) >= start + 5s + 3s));
    lease.inconclusive(start + 9s);
    BOOST_TEST((lease.next_renewal(r) - (start + 9s) <= 10ms));
}

BOOST_AUTO_TEST_CASE(how_soon_a_round_is_retried_depends_on_the_ttl_within_bounds) {
    core::random r(3);
    const auto check = [&](nanoseconds ttl, int retries, nanoseconds expected) {
        nanoseconds longest{};
        nanoseconds shortest = ttl;
        lease_state tired(terms_of(ttl), start, start);
        tired.inconclusive(start + 1ms);
        for (int before = 0; before < retries; ++before)
            (void)tired.next_renewal(r);
        for (int i = 0; i < 10'000; ++i) {
            lease_state lease = tired;
            const nanoseconds pause = lease.next_renewal(r) - (start + 1ms);
            longest = std::max(longest, pause);
            shortest = std::min(shortest, pause);
        }
        BOOST_TEST((longest <= expected && longest > expected * 999 / 1000));
        BOOST_TEST((shortest >= expected / 2 && shortest < expected / 2 * 1001 / 1000));
    };
    check(500ms, 0, 5ms);
    check(500ms, 1, 10ms);
    check(10ms, 0, 500us);
    check(10s, 0, 10ms);
    check(500ms, 256, 25ms);
    check(10ms, 256, 500us);
    check(10s, 256, 250ms);
    check(5s, 256, 250ms);
    check(4s, 256, 200ms);
}

BOOST_AUTO_TEST_CASE(renewal_ends_with_max_hold) {
    core::random r(3);
    lease_terms terms = terms_of(3s);
    terms.max_hold = 2500ms;
    lease_state lease(terms, start, start);
    BOOST_TEST((lease.next_renewal(r) < start + 2s));
    lease.confirmed(start + 1s);
    BOOST_TEST((lease.next_renewal(r) < start + 2500ms));
    lease.confirmed(start + 2s);
    BOOST_TEST((lease.next_renewal(r) == instant::max()));
}

BOOST_AUTO_TEST_CASE(without_renew_nothing_is_due) {
    core::random r(3);
    lease_terms terms = terms_of(3s);
    terms.renew = false;
    lease_state lease(terms, start, start);
    BOOST_TEST((lease.next_renewal(r) == instant::max()));
}

BOOST_AUTO_TEST_CASE(a_shorter_ttl_ends_the_validity_when_it_is_sent_and_not_when_it_is_confirmed) {
    lease_state lease(terms_of(10s), start, start);
    lease.change_ttl(1s, 100ms);
    BOOST_TEST((lease.valid_until() > start + 9s));
    lease.sending(start + 2s);
    BOOST_TEST((lease.valid_until() == start + 2s + 988ms - 1ns));
    lease.confirmed(start + 2s);
    BOOST_TEST((lease.valid_until() == start + 2s + 988ms - 1ns));
    BOOST_TEST((lease.stop_at() == lease.valid_until() - 100ms));
}

BOOST_AUTO_TEST_CASE(who_is_handed_a_lease_has_it_no_longer_than_was_confirmed_and_than_he_asked_for) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start);
    BOOST_TEST((lease.handed_to(terms_of(20s), start + 1s).valid_until() == lease.valid_until()));
    BOOST_TEST((lease.handed_to(terms_of(5s), start + 1s).valid_until() == start + 4948ms - 1ns));
    BOOST_TEST((lease.handed_to(terms_of(5s), start + 1s).stop_at() == start + 4448ms - 1ns));
    BOOST_TEST((lease.handed_to(terms_of(10s), start + 1s).next_renewal(r) > start + 2s));
    // What failed for one is to be retried for the other.
    lease.inconclusive(start + 1s);
    BOOST_TEST((lease.handed_to(terms_of(10s), start + 1s).next_renewal(r) <= start + 1s + 10ms));
    lease_terms brief = terms_of(10s);
    brief.max_hold = 2s;
    BOOST_TEST((lease_state(terms_of(10s), start, start).handed_to(brief, start + 1s).next_renewal(r) ==
                instant::max()));
}

BOOST_AUTO_TEST_CASE(of_a_life_that_is_short_at_first_half_is_kept_as_a_margin_at_most) {
    const lease_state lease(terms_of(10s), start, start + 5ms, 1s);
    BOOST_TEST((lease.ttl() == 10s));
    BOOST_TEST((lease.valid_until() == start + 988ms - 1ns));
    BOOST_TEST((lease.stop_at() == start + 494ms));
    lease_terms narrow = terms_of(10s);
    narrow.stop_margin = 100ms;
    BOOST_TEST((lease_state(narrow, start, start, 1s).stop_at() == start + 888ms - 1ns));
}

BOOST_AUTO_TEST_CASE(a_life_that_is_short_at_first_is_renewed_10_ms_after_the_grant_or_at_its_third) {
    core::random r(3);
    const auto due = [&](nanoseconds first_ttl, nanoseconds granted_after) {
        return lease_state(terms_of(10s), start, start + granted_after, first_ttl).next_renewal(r) - start;
    };
    BOOST_TEST((due(1s, 5ms) == 15ms));
    BOOST_TEST((due(60ms, 5ms) == 15ms));
    BOOST_TEST((due(30ms, 5ms) == 10ms));
    BOOST_TEST((due(30ms, 20ms) == 10ms));
    BOOST_TEST((due(10s - 1ns, 5ms) == 15ms));
    BOOST_TEST((due(10s, 5ms) >= 3s));
    lease_terms without = terms_of(10s);
    without.renew = false;
    BOOST_TEST((lease_state(without, start, start, 1s).next_renewal(r) == instant::max()));
}

BOOST_AUTO_TEST_CASE(the_first_renewal_brings_the_whole_ttl) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start, 1s);
    lease.sending(start + 10ms);
    BOOST_TEST((lease.valid_until() == start + 988ms - 1ns));
    lease.confirmed(start + 10ms);
    BOOST_TEST((lease.valid_until() == start + 10ms + 9898ms - 1ns));
    BOOST_TEST((lease.stop_at() == lease.valid_until() - 1s));
    BOOST_TEST((lease.next_renewal(r) >= start + 3s));
    lease.inconclusive(start + 4s);
    for (int i = 0; i < 20; ++i)
        std::ignore = lease.next_renewal(r);
    BOOST_TEST((lease.next_renewal(r) >= start + 4s + 125ms));
}

// By the life that the keys have.
BOOST_AUTO_TEST_CASE(a_first_renewal_that_fails_is_retried_quickly) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start, 500ms);
    lease.inconclusive(start + 20ms);
    BOOST_TEST((lease.next_renewal(r) <= start + 25ms));
    for (int i = 0; i < 20; ++i)
        std::ignore = lease.next_renewal(r);
    BOOST_TEST((lease.next_renewal(r) <= start + 45ms));
    BOOST_TEST((lease.stop_at() == start + 246500us));
}

// Later than max_hold nothing may make it live longer.
BOOST_AUTO_TEST_CASE(a_life_that_is_short_at_first_is_renewed_before_max_hold_is_over) {
    core::random r(3);
    lease_terms moment = terms_of(10s);
    moment.max_hold = 10ms;
    lease_state lease(moment, start, start + 5ms, 1s);
    BOOST_TEST((lease.next_renewal(r) <= start + 5ms));
    lease.inconclusive(start + 14ms);
    BOOST_TEST((lease.next_renewal(r) == instant::max()));
    moment.max_hold = 11ms;
    BOOST_TEST((lease_state(moment, start, start + 5ms, 1s).next_renewal(r) == start + 15ms));
}

BOOST_AUTO_TEST_CASE(a_shorter_ttl_asked_for_in_a_short_first_life_ends_it_when_it_is_sent) {
    lease_state lease(terms_of(10s), start, start, 1s);
    lease.change_ttl(500ms, 50ms);
    lease.sending(start + 5ms);
    BOOST_TEST((lease.valid_until() == start + 5ms + 493ms - 1ns));
    BOOST_TEST((lease.stop_at() == lease.valid_until() - 50ms));
    lease.change_ttl(20s, 2s);
    lease.sending(start + 6ms);
    BOOST_TEST((lease.valid_until() == start + 5ms + 493ms - 1ns));
    lease.confirmed(start + 6ms);
    BOOST_TEST((lease.stop_at() == start + 6ms + 20s - 202ms - 1ns - 2s));
}

BOOST_AUTO_TEST_CASE(who_is_handed_a_lease_in_its_short_first_life_has_that_and_renews_it_as_early) {
    core::random r(3);
    const lease_state lease(terms_of(10s), start, start, 1s);
    lease_state other = lease.handed_to(terms_of(10s), start + 4ms);
    BOOST_TEST((other.valid_until() == lease.valid_until()));
    BOOST_TEST((other.stop_at() == lease.stop_at()));
    BOOST_TEST((other.next_renewal(r) == start + 10ms));
    lease_terms moment = terms_of(10s);
    moment.max_hold = 2ms;
    BOOST_TEST((lease.handed_to(moment, start + 4ms).next_renewal(r) <= start + 4ms));
    other.confirmed(start + 10ms);
    BOOST_TEST((other.valid_until() == start + 10ms + 9898ms - 1ns));
}

BOOST_AUTO_TEST_CASE(a_lost_lease_stays_lost) {
    core::random r(3);
    lease_state lease(terms_of(10s), start, start);
    const instant end = lease.valid_until();
    lease.lose();
    lease.confirmed(start + 3s);
    BOOST_TEST((lease.phase() == lease_phase::lost));
    BOOST_TEST((lease.valid_until() == end));
    BOOST_TEST((lease.next_renewal(r) == instant::max()));
    lease.release();
    lease.lose();
    BOOST_TEST((lease.phase() == lease_phase::released));
}

BOOST_AUTO_TEST_CASE(the_longest_life_does_not_overflow) {
    core::random r(3);
    const lease_state lease(
        terms_of(saturating_nanoseconds(std::chrono::milliseconds(std::int64_t{1} << 53))), start, start);
    BOOST_TEST((lease.valid_until() > start));
    BOOST_TEST((lease.stop_at() > start));
}

BOOST_AUTO_TEST_SUITE_END()
