#include "lease_fixture.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

struct loss_test_fixture : lease_fixture {
    client locks = make_client();
};

BOOST_FIXTURE_TEST_SUITE(loss_suite, loss_test_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(a_key_that_is_taken_away_ends_the_lease) {
    std::stop_source work;
    lock_options options = patiently();
    options.stop = &work;
    lease held = lock(locks, "key", options), other = lock(locks, "other");
    BOOST_TEST((held.stop_token() == work.get_token()));
    BOOST_TEST(lose());
    BOOST_TEST(!held.valid());
    BOOST_TEST((held.remaining() == 0s));
    BOOST_TEST(work.stop_requested());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(extend(held, long_ttl) == errc::lease_lost);
    BOOST_TEST(unlock(held) == errc::lease_lost);
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.lost_by_majority == 1u);
    BOOST_TEST(seen.lost_by_deadline == 0u);
    BOOST_TEST(seen.held == 1u);
    BOOST_TEST(other.valid());
    BOOST_TEST(!lose());
    BOOST_TEST(!try_lock(locks));
}

BOOST_AUTO_TEST_CASE(a_key_that_a_test_holds_is_lost_likewise) {
    lease held = lock(locks);
    hold(100s);
    BOOST_TEST(!held.valid());
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(is_held());
    BOOST_TEST(try_lock(locks) == errc::held);
}

// It has been somebody else's, and what the former holder gives back is not theirs.
BOOST_AUTO_TEST_CASE(the_next_who_waits_gets_what_was_taken_away) {
    client others = make_client();
    lease held = lock(locks);
    outcome<lease> waits, local;
    others.async_lock("key", patiently(), waits.handler());
    settle();
    locks.async_lock("key", patiently(), local.handler());
    settle();
    BOOST_TEST(lose());
    BOOST_TEST(waits.done());
    BOOST_TEST(!local.done());
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(waits.value().valid());
    BOOST_TEST(waiting() == 1u);
    waits.drop_values();
    BOOST_TEST(complete(local));
    BOOST_TEST(local.value().valid());
}

BOOST_AUTO_TEST_CASE(a_caller_of_the_same_client_gets_what_was_taken_away) {
    lease held = lock(locks);
    outcome<lease> local;
    locks.async_lock("key", patiently(), local.handler());
    settle();
    BOOST_TEST(lose());
    BOOST_TEST(local.done());
    BOOST_TEST(local.value().valid());
    BOOST_TEST(unlock(held) == errc::lease_lost);
    BOOST_TEST(local.value().valid());
}

BOOST_AUTO_TEST_CASE(a_loss_cancels_what_runs_under_the_lock) {
    bool began = false, was_valid = true;
    auto body = [&](lease& held) -> asio::awaitable<void> {
        began = true;
        co_await asio::this_coro::throw_if_cancelled(false);
        asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
        error_code ec;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        BOOST_TEST(ec == asio::error::operation_aborted);
        was_valid = held.valid();
    };
    int completions = 0;
    error_code failure;
    locks.async_with_lock("key", patiently(), body, [&](std::exception_ptr e) {
        ++completions;
        try {
            if (e) std::rethrow_exception(e);
        } catch (const boost::system::system_error& error) {
            failure = error.code();
        }
    });
    BOOST_REQUIRE(run_until([&] { return began; }));
    settle();
    BOOST_TEST(completions == 0);
    BOOST_TEST(lose());
    BOOST_TEST(run_until([&] { return completions > 0; }));
    BOOST_TEST(failure == errc::lease_lost);
    BOOST_TEST(!was_valid);
    settle();
    BOOST_TEST(completions == 1);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(a_lease_that_was_dropped_is_not_lost_any_more) {
    (void)lock(locks);
    hand->lose(prefix + "key");
    settle();
    BOOST_TEST(!is_held());
    BOOST_TEST(locks.metrics().held == 0u);
    const metrics_snapshot seen = locks.metrics();
    BOOST_TEST(seen.unlocks == 1u);
}

BOOST_AUTO_TEST_CASE(whoever_loses_several_keys_loses_each) {
    lease a = lock(locks, "a"), b = lock(locks, "b"), c = lock(locks, "c");
    hand->lose(prefix + "a");
    hand->lose(prefix + "c");
    settle();
    BOOST_TEST(!a.valid());
    BOOST_TEST(b.valid());
    BOOST_TEST(!c.valid());
    BOOST_TEST(locks.metrics().lost_by_majority == 2u);
}

// A stop callback runs inside of the client's turn, and may do to the engine what any other code may.
BOOST_AUTO_TEST_CASE(a_stop_callback_may_use_the_handle) {
    lease a = lock(locks, "a"), b = lock(locks, "b");
    const std::stop_callback also(a.stop_token(), [&] { hand->lose(prefix + "b"); });
    BOOST_TEST(lose("a"));
    BOOST_TEST(!b.valid());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
