#include "lock_all_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(lock_all_suite, lock_all_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(all_are_held_together_and_given_back_together) {
    lease_set held = lock_all(locks, {"c", "a", "b"});
    BOOST_TEST(held.size() == 3u);
    BOOST_TEST(bool(held));
    BOOST_TEST(held.valid());
    BOOST_TEST(held.remaining().count() > 0);
    BOOST_TEST(held[0].key() == "c");
    BOOST_TEST(held[1].key() == "a");
    BOOST_TEST(held[2].key() == "b");
    BOOST_TEST((is_held("a") && is_held("b") && is_held("c")));
    BOOST_TEST(try_lock(other, "a") == errc::held);
    BOOST_TEST(locks.metrics().held == 3u);
    BOOST_TEST(!unlock_all(held));
    BOOST_TEST(!held.valid());
    expect_free({"a", "b", "c"});
    BOOST_TEST(unlock_all(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_key_that_is_named_twice_counts_once) {
    lease_set held = lock_all(locks, {"b", "a", "b", "a"});
    BOOST_TEST(held.size() == 2u);
    BOOST_TEST(held[0].key() == "b");
    BOOST_TEST(held[1].key() == "a");
}

BOOST_AUTO_TEST_CASE(each_has_a_fencing_token_of_its_own) {
    lock_options fenced = patiently();
    fenced.fencing = true;
    lease_set held = lock_all(locks, {"a", "b"}, fenced);
    BOOST_TEST(!check(other, held[0].fencing_token().value(), "a"));
    BOOST_TEST(!check(other, held[1].fencing_token().value(), "b"));
}

BOOST_AUTO_TEST_CASE(one_attempt_takes_all_or_none) {
    hold(24h, "b");
    auto got = ask(locks, {"a", "b", "c"}, once());
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::held);
    BOOST_TEST(!got.value());
    settle();
    expect_free({"a", "c"});
}

BOOST_AUTO_TEST_CASE(keys_that_are_free_are_had_in_one_attempt) {
    lease_set held = lock_all(locks, {"a", "b", "c"}, once());
    BOOST_TEST(held.size() == 3u);
    BOOST_TEST(!unlock_all(held));
}

BOOST_AUTO_TEST_CASE(it_waits_with_what_stands_before_alone) {
    hold(24h, "b");
    auto got = ask(locks, {"a", "b", "c"});
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    BOOST_TEST(is_held("a"));
    BOOST_TEST(!is_held("c"));
    BOOST_TEST(locks.metrics().waiting == 1u);
    lose("b");
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(!got.error());
    BOOST_TEST(got.value().valid());
}

BOOST_AUTO_TEST_CASE(two_that_want_the_same_in_another_order_both_get_it) {
    for (int i = 0; i < 20; ++i) {
        auto one = ask(locks, {"a", "b", "c"});
        auto two = ask(other, {"c", "b", "a"});
        BOOST_REQUIRE(run_until([&] { return one.done() || two.done(); }));
        auto& first = one.done() ? one : two;
        auto& second = one.done() ? two : one;
        BOOST_TEST(!first.error());
        BOOST_TEST(!second.done());
        BOOST_TEST(!unlock_all(first.value()));
        BOOST_REQUIRE(complete(second));
        BOOST_TEST(!second.error());
        BOOST_TEST(!unlock_all(second.value()));
    }
}

BOOST_AUTO_TEST_CASE(one_client_passes_keys_on_among_its_callers) {
    lease_set held = lock_all(locks, {"a", "b"});
    auto next = ask(locks, {"b", "a"});
    auto single = outcome<lease>();
    locks.async_lock("a", patiently(), single.handler());
    settle();
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock_all(held));
    BOOST_REQUIRE(run_until([&] { return next.done() || single.done(); }));
    if (single.done()) single.drop_values();
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(next.value().valid());
    next.drop_values();
    BOOST_REQUIRE(complete(single));
    BOOST_TEST(!single.error());
}

BOOST_AUTO_TEST_CASE(what_was_given_back_on_the_way_does_not_count) {
    hold(24h, "b");
    auto got = ask(locks, {"a", "b", "c"});
    settle();
    BOOST_TEST((locks.metrics().grants == 0u && locks.metrics().unlocks == 0u));
    lose("b");
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(locks.metrics().grants == 3u);
    BOOST_TEST(!unlock_all(got.value()));
    BOOST_TEST(locks.metrics().unlocks == 3u);
}

BOOST_AUTO_TEST_CASE(the_wait_ends_when_it_is_over) {
    hold(24h, "b");
    lock_options options = patiently();
    options.wait = 60s;
    auto got = ask(locks, {"a", "b"}, options);
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    pass(61s);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::wait_timeout);
    settle();
    expect_free({"a"});
    BOOST_TEST(waiting("b") == 0u);
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_leaves_nothing) {
    hold(24h, "b");
    asio::cancellation_signal cancel;
    outcome<lease_set> got;
    locks.async_lock_all(keys{"a", "b"}, patiently(),
                         asio::bind_cancellation_slot(cancel.slot(), got.handler()));
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == asio::error::operation_aborted);
    settle();
    expect_free({"a"});
    BOOST_TEST(waiting("b") == 0u);
}

BOOST_AUTO_TEST_CASE(a_dropped_set_is_given_back) {
    { const lease_set held = lock_all(locks, {"a", "b"}); }
    settle();
    expect_free({"a", "b"});
}

BOOST_AUTO_TEST_CASE(a_closed_client_ends_a_waiting_call) {
    hold(24h, "b");
    auto got = ask(locks, {"a", "b"});
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    close(locks);
    BOOST_TEST(got.done());
    BOOST_TEST(got.error() == errc::closed);
    expect_free({"a"});
    auto later = ask(locks, {"a"});
    BOOST_REQUIRE(complete(later));
    BOOST_TEST(later.error() == errc::closed);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked_for_is_refused) {
    const auto refusal = [&](const keys& wanted, lock_options options = once()) {
        auto got = ask(locks, wanted, options);
        BOOST_REQUIRE(complete(got));
        return got.error();
    };
    BOOST_TEST(refusal({}) == errc::invalid_key);
    BOOST_TEST(refusal({"a", ""}) == errc::invalid_key);
    BOOST_TEST(refusal({"a", "b:redlock-fence"}) == errc::invalid_key);
    BOOST_TEST(refusal(keys(max_set_size + 1, "a")) == errc::invalid_key);
    lock_options wrong = once();
    wrong.permits = 2;
    BOOST_TEST(refusal({"a"}, wrong) == errc::invalid_option);
    wrong = once();
    wrong.ttl = 0ms;
    BOOST_TEST(refusal({"a"}, wrong) == errc::invalid_option);
    BOOST_TEST(locks.metrics().waiting == 0u);
    expect_free({"a"});
}

BOOST_AUTO_TEST_CASE(a_lease_may_be_moved_out_of_a_set) {
    lease_set held = lock_all(locks, {"a", "b", "c"});
    lease taken = std::move(held[1]);
    BOOST_TEST(!held.valid());
    BOOST_TEST(taken.valid());
    BOOST_TEST(unlock_all(held) == errc::lease_lost);
    expect_free({"a", "c"});
    BOOST_TEST(taken.valid());
    BOOST_TEST(!unlock(taken));
    expect_free({"b"});
    BOOST_TEST(locks.metrics().held == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_never_handed_out_is_not_kept) {
    lock_options kept = once();
    kept.keep = 1h;
    hold(24h, "b");
    auto got = ask(locks, {"a", "b", "c"}, kept);
    BOOST_REQUIRE(complete(got));
    BOOST_TEST(got.error() == errc::held);
    settle();
    expect_free({"a", "c"});
    kept.wait = forever;
    auto waits = ask(locks, {"a", "b", "c"}, kept);
    BOOST_REQUIRE(run_until([&] { return waiting("b") == 1; }));
    BOOST_TEST(!is_held("c"));
    lose("b");
    BOOST_REQUIRE(complete(waits));
    BOOST_TEST(!unlock_all(waits.value()));
    BOOST_TEST((is_held("a") && is_held("b") && is_held("c")));
}

BOOST_AUTO_TEST_CASE(an_empty_set_has_nothing_to_give_back) {
    lease_set none;
    BOOST_TEST(!none);
    BOOST_TEST(!none.valid());
    BOOST_TEST(none.size() == 0u);
    BOOST_TEST(none.remaining().count() == 0);
    outcome<> result;
    none.async_unlock(asio::bind_executor(context, result.handler()));
    BOOST_REQUIRE(complete(result));
    BOOST_TEST(result.error() == errc::lease_lost);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
