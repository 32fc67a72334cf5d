#include "core/lease_state.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

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
        for (int i = 0; i < 10'000; ++i) {
            lease_state lease(terms_of(ttl), start, start);
            lease.inconclusive(start + 1ms);
            for (int before = 0; before < retries; ++before)
                (void)lease.next_renewal(r);
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
