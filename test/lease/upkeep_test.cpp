#include "lease_fixture.hpp"

#include <redlock/with_diagnostics.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

// What no number of retries gets through.
constexpr std::size_t many = 1'000'000;

struct upkeep_test_fixture : lease_fixture {
    metrics_snapshot seen() const { return locks.metrics(); }
    bool stops(const lease& l) const { return l.stop_token().stop_requested(); }

    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(upkeep_suite, upkeep_test_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(a_lease_is_renewed_after_a_third_of_its_ttl) {
    lease held = lock(locks);
    for (std::uint64_t renewals = 0; renewals < 5; ++renewals) {
        pass(150s);
        BOOST_TEST(seen().renewals == renewals);
        pass(71s);
        BOOST_TEST(seen().renewals == renewals + 1);
        BOOST_TEST((held.remaining() > 500s && held.remaining() < long_ttl));
    }
    BOOST_TEST(seen().failed_renewals == 0u);
    BOOST_TEST(!stops(held));
    BOOST_TEST(!unlock(held));
    pass(600s);
    BOOST_TEST(seen().renewals == 5u);
}

BOOST_AUTO_TEST_CASE(a_renewal_that_fails_is_made_again_soon) {
    lease held = lock(locks);
    hand->fail_next(3, errc::node_timeout);
    pass(221s);
    BOOST_TEST(run_until([&] { return seen().renewals == 1; }));
    BOOST_TEST(seen().failed_renewals == 3u);
    BOOST_TEST((held.remaining() > 500s));
    pass(150s);
    BOOST_TEST(seen().renewals == 1u);
    pass(71s);
    BOOST_TEST(seen().renewals == 2u);
}

// The engine in memory has nothing to add to the code.
BOOST_AUTO_TEST_CASE(of_an_extension_that_fails_no_more_is_said_than_is_known) {
    lease held = lock(locks);
    hand->fail_next(1, errc::node_timeout);
    std::exception_ptr thrown;
    held.async_extend(long_ttl, with_diagnostics([&](std::exception_ptr e) { thrown = std::move(e); }));
    BOOST_REQUIRE(run_until([&] { return thrown != nullptr; }));
    BOOST_CHECK_EXCEPTION(std::rethrow_exception(thrown), boost::system::system_error,
                          [](const auto& e) { return e.code() == errc::node_timeout; });
    BOOST_TEST(!extend(held, long_ttl));
}

// An unlock waits for the verdict of an extension that is under way.
BOOST_AUTO_TEST_CASE(a_lease_that_is_being_given_back_is_given_back_once) {
    lease held = lock(locks);
    outcome<> extended, first, second;
    held.async_extend(2 * long_ttl, extended.handler());
    held.async_unlock(first.handler());
    held.async_unlock(second.handler());
    BOOST_REQUIRE((complete(first) && complete(second) && complete(extended)));
    BOOST_TEST(!first.error());
    BOOST_TEST((second.error() == errc::lease_lost));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_client_that_closes_during_an_extension_gives_the_key_back) {
    client closes = make_client();
    lease held = lock(closes);
    outcome<> extended, extended_again, closed;
    held.async_extend(2 * long_ttl, extended.handler());
    held.async_extend(3 * long_ttl, extended_again.handler());
    closes.async_close(closed.handler());
    BOOST_REQUIRE((complete(closed) && complete(extended) && complete(extended_again)));
    BOOST_TEST(!closed.error());
    BOOST_TEST((extended.error() == errc::closed && extended_again.error() == errc::closed));
    BOOST_TEST(!is_held());
}

// Within the margin that is left nobody else has the key, although the holder has been told to stop.
BOOST_AUTO_TEST_CASE(a_lease_that_cannot_be_renewed_stops_before_its_end) {
    std::stop_source work;
    lock_options options = patiently();
    options.stop = &work;
    lease held = lock(locks, "key", options);
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    client others = make_client();
    outcome<lease> waits;
    others.async_lock("key", patiently(), waits.handler());
    hand->fail_next(0);
    settle();
    hand->fail_next(many);
    pass(500s);
    BOOST_TEST(seen().failed_renewals > 0u);
    BOOST_TEST(!work.stop_requested());
    BOOST_TEST(held.valid());
    BOOST_TEST(!lost.done());
    pass(35s);
    BOOST_TEST(work.stop_requested());
    BOOST_TEST(stops(held));
    BOOST_TEST(lost.done());
    BOOST_TEST(!lost.error());
    BOOST_TEST(held.valid());
    BOOST_TEST((held.remaining() > 20s && held.remaining() < 60s));
    BOOST_TEST(seen().lost_by_deadline == 1u);
    BOOST_TEST(seen().lost_by_majority == 0u);
    BOOST_TEST(seen().held == 0u);
    BOOST_TEST(seen().stop_margin.count == 1u);
    BOOST_TEST(!waits.done());
    pass(60s);
    BOOST_TEST(!held.valid());
    pass(7s);
    BOOST_TEST(waits.done());
    BOOST_TEST(waits.value().valid());
    hand->fail_next(0);
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(waits.value().valid());
    BOOST_TEST(is_held());
}

BOOST_AUTO_TEST_CASE(what_was_lost_is_not_lost_again_when_the_client_closes) {
    lease held = lock(locks);
    lease another = lock(locks, "another");
    BOOST_TEST(lose());
    hand->fail_next(many);
    pass(535s);
    BOOST_TEST((stops(held) && stops(another)));
    hand->fail_next(0);
    close(locks);
    BOOST_TEST(seen().held == 0u);
    BOOST_TEST(seen().hold_time.count == 2u);
    BOOST_TEST(seen().lost_by_majority == 1u);
    BOOST_TEST(seen().lost_by_deadline == 1u);
}

BOOST_AUTO_TEST_CASE(the_margin_is_as_wide_as_was_asked_for) {
    lock_options options = patiently();
    options.stop_margin = 200s;
    lease held = lock(locks, "key", options);
    hand->fail_next(many);
    pass(380s);
    BOOST_TEST(!stops(held));
    pass(20s);
    BOOST_TEST(stops(held));
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(without_renewal_a_lease_runs_out) {
    lock_options options = patiently();
    options.renew = false;
    lease held = lock(locks, "key", options);
    pass(520s);
    BOOST_TEST(held.valid());
    BOOST_TEST(!stops(held));
    pass(15s);
    BOOST_TEST(stops(held));
    BOOST_TEST(seen().renewals == 0u);
    BOOST_TEST(seen().lost_by_deadline == 1u);
    pass(66s);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_lease_may_be_held_no_longer_than_max_hold) {
    lock_options options = patiently();
    options.max_hold = 300s;
    lease held = lock(locks, "key", options);
    pass(221s);
    BOOST_TEST(seen().renewals == 1u);
    pass(500s);
    BOOST_TEST(seen().renewals == 1u);
    BOOST_TEST(!stops(held));
    pass(35s);
    BOOST_TEST(stops(held));
    BOOST_TEST(seen().lost_by_deadline == 1u);
}

BOOST_AUTO_TEST_CASE(a_key_outlives_its_ttl_by_the_lock_delay) {
    lock_options options = patiently();
    options.lock_delay = 300s;
    options.renew = false;
    lease held = lock(locks, "key", options);
    pass(850s);
    BOOST_TEST(!held.valid());
    BOOST_TEST(is_held());
    pass(51s);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(an_extension_gives_a_longer_life_from_then_on) {
    lease held = lock(locks);
    BOOST_TEST(!extend(held, 2 * long_ttl));
    BOOST_TEST((held.remaining() > 1100s && held.remaining() < 1200s));
    BOOST_TEST(seen().renewals == 1u);
    pass(300s);
    BOOST_TEST(seen().renewals == 1u);
    pass(141s);
    BOOST_TEST(seen().renewals == 2u);
    BOOST_TEST((held.remaining() > 1100s));
}

BOOST_AUTO_TEST_CASE(an_extension_may_make_the_life_shorter) {
    lease held = lock(locks);
    BOOST_TEST(!extend(held, 300s));
    BOOST_TEST((held.remaining() > 200s && held.remaining() < 300s));
    pass(111s);
    BOOST_TEST(seen().renewals == 2u);
    hand->fail_next(many);
    pass(250s);
    BOOST_TEST(!stops(held));
    pass(17s);
    BOOST_TEST(stops(held));
}

// The engine may have done what it did not answer: the shorter life counts at once, the longer one does not.
BOOST_AUTO_TEST_CASE(an_extension_that_fails_is_no_promise) {
    lease held = lock(locks), other = lock(locks, "other");
    hand->fail_next(1, errc::node_timeout);
    BOOST_TEST(extend(held, 2 * long_ttl) == errc::node_timeout);
    BOOST_TEST((held.remaining() < long_ttl));
    BOOST_TEST(run_until([&] { return held.remaining() > 1100s; })); // the next try got through
    hand->fail_next(1);
    BOOST_TEST(extend(other, 300s) == errc::no_quorum);
    BOOST_TEST((other.remaining() < 300s));
    BOOST_TEST(other.valid());
}

BOOST_AUTO_TEST_CASE(an_extension_has_limits) {
    lease held = lock(locks);
    for (const std::chrono::milliseconds ttl : {-1ms, 0ms, 2ms, forever})
        BOOST_TEST(extend(held, ttl) == errc::invalid_option);
    BOOST_TEST((held.remaining() > 500s));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(extend(held, long_ttl) == errc::lease_lost);
}

// One of them is answered with what the renewal brought that was made for it, whatever the others wanted.
BOOST_AUTO_TEST_CASE(extensions_at_the_same_time_all_complete) {
    lease held = lock(locks);
    outcome<> first, second, third;
    held.async_extend(2 * long_ttl, first.handler());
    held.async_extend(3 * long_ttl, second.handler());
    held.async_extend(0ms, third.handler());
    settle();
    BOOST_TEST((first.completions() == 1 && second.completions() == 1 && third.completions() == 1));
    BOOST_TEST(!first.error());
    BOOST_TEST(!second.error());
    BOOST_TEST(third.error() == errc::invalid_option);
    BOOST_TEST((held.remaining() > 1700s));
}

BOOST_AUTO_TEST_CASE(waiting_for_a_loss_ends_in_one_of_four_ways) {
    lease held = lock(locks), unlocked = lock(locks, "unlocked");
    asio::cancellation_signal cancel;
    outcome<> lost, cancelled, aborted, closed, late;
    held.async_wait_lost(lost.handler());
    held.async_wait_lost(asio::bind_cancellation_slot(cancel.slot(), cancelled.handler()));
    unlocked.async_wait_lost(aborted.handler());
    settle();
    cancel.emit(asio::cancellation_type::partial);
    BOOST_TEST(!unlock(unlocked));
    settle();
    BOOST_TEST(cancelled.error() == asio::error::operation_aborted);
    BOOST_TEST(aborted.error() == asio::error::operation_aborted);
    BOOST_TEST(held.valid());
    BOOST_TEST(!lost.done());
    BOOST_TEST(lose());
    BOOST_TEST((lost.done() && !lost.error()));
    held.async_wait_lost(late.handler());
    BOOST_REQUIRE(complete(late));
    BOOST_TEST(!late.error());
    lease last = lock(locks, "last");
    last.async_wait_lost(closed.handler());
    close(locks);
    BOOST_REQUIRE(complete(closed));
    BOOST_TEST(closed.error() == errc::closed);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
