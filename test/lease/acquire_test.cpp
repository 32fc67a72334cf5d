#include "lease_fixture.hpp"

#include <redlock/with_diagnostics.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/test/data/test_case.hpp>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(acquire_suite, lease_fixture)

BOOST_AUTO_TEST_CASE(a_free_key_is_granted_and_given_back) {
    client locks = make_client();
    lease held = lock(locks);
    BOOST_TEST(held.valid());
    BOOST_TEST(held.key() == "key");
    BOOST_TEST((held.remaining() > long_ttl / 2 && held.remaining() < long_ttl));
    BOOST_TEST(!held.fencing_token());
    BOOST_TEST(!held.stop_token().stop_requested());
    BOOST_TEST(is_held());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!is_held());
    BOOST_TEST(!held.valid());
    BOOST_TEST(unlock(held) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_deferred_call_asks_for_the_same) {
    client locks = make_client();
    const auto call = locks.async_lock("key", once(), boost::asio::deferred);
    for (int i = 0; i < 2; ++i) {
        outcome<lease> result;
        auto copy = call;
        std::move(copy)(result.handler());
        BOOST_REQUIRE(complete(result));
        BOOST_TEST(!result.error());
        lease held = std::move(result.value());
        BOOST_TEST(is_held());
        BOOST_TEST(!unlock(held));
    }
}

BOOST_AUTO_TEST_CASE(of_what_cannot_be_granted_the_failure_says_what_is_wrong_with_it) {
    client locks = make_client();
    const auto failure_of = [&](std::string_view key, const lock_options& options) {
        std::string text;
        locks.async_lock(key, options, with_diagnostics([&](std::exception_ptr e, lease) {
                             try {
                                 if (e) std::rethrow_exception(e);
                             } catch (const error_with_diagnostics& failure) {
                                 text = failure.what();
                             }
                         }));
        BOOST_TEST(run_until([&] { return !text.empty(); }));
        return text;
    };
    lock_options short_lived = once();
    short_lived.ttl = 0ms;
    BOOST_TEST(failure_of("", once()) == "a key must not be empty");
    BOOST_TEST(failure_of("key", short_lived) == "lock_options::ttl must be 1 ms to 2^53 ms, not 0 ms");
    close(locks);
    BOOST_TEST(failure_of("key", once()) == "the client is closed and grants no lock \"key\"");
}

BOOST_AUTO_TEST_CASE(a_client_that_was_moved_from_is_closed) {
    client locks = make_client();
    const client moved = std::move(locks);
    outcome<lease> result;
    locks.async_lock("key", once(), boost::asio::bind_executor(context, result.handler()));
    BOOST_REQUIRE(complete(result));
    BOOST_TEST((result.error() == errc::closed));
    BOOST_TEST(!result.value());
    outcome<key_report> seen;
    outcome<break_report> broken;
    outcome<std::vector<node_examination>> examined;
    outcome<> checked, closed;
    const auto here = [&](auto& asked) { return boost::asio::bind_executor(context, asked.handler()); };
    locks.async_inspect("key", here(seen));
    locks.async_break({}, here(broken));
    locks.async_examine(here(examined));
    locks.async_check("key", 1, here(checked));
    locks.async_close(here(closed));
    BOOST_REQUIRE((complete(seen) && complete(broken) && complete(examined) && complete(checked)));
    for (const error_code& how : {seen.error(), broken.error(), examined.error(), checked.error()})
        BOOST_TEST((how == errc::closed));
    BOOST_REQUIRE(complete(closed));
    BOOST_TEST(!closed.error());
}

BOOST_AUTO_TEST_CASE(without_waiting_a_key_that_is_held_is_refused) {
    client locks = make_client(), others = make_client();
    lease held = lock(locks);
    BOOST_TEST(try_lock(others) == errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(waiting() == 0u);
    outcome<lease> tried;
    others.async_try_lock("key", patiently(), tried.handler()); // its wait does not count
    BOOST_REQUIRE(complete(tried));
    BOOST_TEST(tried.error() == errc::held);
    BOOST_TEST(!tried.value());
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
    BOOST_TEST(!try_lock(others));
}

BOOST_AUTO_TEST_CASE(an_attempt_beside_one_that_waits_is_refused_too) {
    client locks = make_client(), others = make_client();
    lease held = lock(others);
    outcome<lease> waits;
    locks.async_lock("key", patiently(), waits.handler());
    BOOST_REQUIRE(run_until([&] { return waiting() == 1; }));
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(!unlock(held));
    BOOST_TEST(complete(waits));
    BOOST_TEST(waits.value().valid());
}

BOOST_AUTO_TEST_CASE(waiting_ends_with_its_time) {
    client locks = make_client(), others = make_client();
    lease held = lock(others);
    lock_options options = patiently();
    options.wait = 20ms;
    BOOST_TEST(try_lock(locks, "key", options) == errc::wait_timeout);
    lease own = lock(locks, "own");
    BOOST_TEST(try_lock(locks, "own", options) == errc::wait_timeout);
    BOOST_TEST(run_until([&] { return waiting() == 0; })); // a server may remember it for a moment
    BOOST_TEST(locks.metrics().waiting == 0u);
}

BOOST_AUTO_TEST_CASE(keys_are_told_apart_with_their_prefixes) {
    config c = settings();
    c.key_prefix = prefix + "a:";
    client a(context.get_executor(), c);
    c.key_prefix = prefix + "a:b:";
    client ab(context.get_executor(), c);
    lease held = lock(a, "b:key");
    BOOST_TEST(held.key() == "b:key");
    BOOST_TEST(try_lock(ab, "key") == errc::held);
    BOOST_TEST(!try_lock(ab, "b:key"));
    BOOST_TEST(!try_lock(a, "key"));
}

BOOST_AUTO_TEST_CASE(invalid_keys_are_refused) {
    client locks = make_client();
    const std::string longest(max_key_size - prefix.size(), 'k');
    BOOST_TEST(try_lock(locks, "") == errc::invalid_key);
    BOOST_TEST(!try_lock(locks, longest));
    BOOST_TEST(try_lock(locks, longest + "k") == errc::invalid_key);
    BOOST_TEST(try_lock(locks, "key:redlock-fence") == errc::invalid_key);
    BOOST_TEST(!try_lock(locks, std::string("\0\n", 2)));
    BOOST_TEST(locks.metrics().grants == 2u);
}

const lock_options invalid_options[] = {
    {.ttl = 0ms},
    {.ttl = 2ms},
    {.ttl = forever},
    {.ttl = 1s, .wait = -1ms},
    {.ttl = 1s, .max_hold = 0ms},
    {.ttl = 1s, .stop_margin = -2ms},
    {.ttl = 1s, .stop_margin = 500ms},
    {.ttl = 1s, .lock_delay = -1ms},
    {.ttl = 1s, .lock_delay = forever},
};

BOOST_AUTO_TEST_CASE(options_outside_their_limits_are_refused) {
    client locks = make_client();
    for (const lock_options& options : invalid_options)
        BOOST_TEST(try_lock(locks, "key", options) == errc::invalid_option);
    BOOST_TEST(!is_held());
    BOOST_TEST(locks.metrics().grants == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

// With the time in the test's hand.
BOOST_FIXTURE_TEST_SUITE(acquire_in_time_suite, lease_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(a_wait_is_over_neither_early_nor_late) {
    client locks = make_client(), others = make_client();
    lease held = lock(others);
    outcome<lease> waits;
    lock_options options = patiently();
    options.wait = 100s;
    locks.async_lock("key", options, waits.handler());
    settle();
    BOOST_TEST(waiting() == 1u);
    pass(70s);
    BOOST_TEST(!waits.done());
    pass(31s);
    BOOST_REQUIRE(waits.done());
    BOOST_TEST(waits.error() == errc::wait_timeout);
    BOOST_TEST(waiting() == 0u);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(waiting_forever_outlasts_any_holder) {
    client locks = make_client();
    hold(24h);
    outcome<lease> waits;
    locks.async_lock("key", patiently(), waits.handler());
    settle();
    pass(23h);
    BOOST_TEST(!waits.done());
    pass(2h);
    BOOST_REQUIRE(waits.done());
    BOOST_TEST(waits.value().valid());
}

BOOST_AUTO_TEST_CASE(a_request_that_fails_ends_the_call_with_the_reason) {
    client locks = make_client();
    hand->fail_next(2, errc::node_timeout);
    BOOST_TEST(try_lock(locks) == errc::node_timeout);
    BOOST_TEST(try_lock(locks, "key", patiently()) == errc::node_timeout);
    BOOST_TEST(!is_held());
    BOOST_TEST(!try_lock(locks));
    hand->fail_next(5);
    hand->fail_next(0);
    BOOST_TEST(!try_lock(locks));
}

// Somebody holds it, for once, who is gone when one looks.
BOOST_AUTO_TEST_CASE(a_request_may_fail_because_the_key_is_held) {
    client locks = make_client();
    hand->fail_next(2, errc::held);
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(try_lock(locks, "key", patiently()) == errc::held);
    BOOST_TEST(!try_lock(locks));
}

BOOST_AUTO_TEST_CASE(a_release_that_fails_leaves_the_key_until_its_ttl_is_over) {
    client locks = make_client();
    lease held = lock(locks);
    hand->fail_next(1);
    BOOST_TEST(unlock(held) == errc::no_quorum);
    BOOST_TEST(is_held());
    pass(601s);
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
