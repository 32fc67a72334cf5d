#include "owner_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <deque>
#include <stop_token>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(owner_suite, owner_fixture, *boost::unit_test::precondition(engine_in_hand))

BOOST_AUTO_TEST_CASE(an_owner_enters_again_without_a_word_to_the_engine) {
    lease outer = lock(locks, "key", mine());
    hand->fail_next(1);
    lease inner = lock(locks, "key", mine(once()));
    hand->fail_next(0);
    BOOST_TEST((outer.valid() && inner.valid()));
    BOOST_TEST(inner.key() == "key");
    BOOST_TEST(try_lock(locks) == errc::held);
    BOOST_TEST(try_lock(other) == errc::held);
    owner somebody_else;
    lock_options theirs = once();
    theirs.owner = &somebody_else;
    BOOST_TEST(try_lock(locks, "key", theirs) == errc::held);
    BOOST_TEST(locks.metrics().held == 1u);
}

// Its holder has to stop, though nobody else can have the key yet.
BOOST_AUTO_TEST_CASE(what_was_lost_by_the_clock_is_unlocked_as_lost_while_it_is_still_valid) {
    lease outer = lock(locks, "key", mine());
    lease inner = lock(locks, "key", mine(once()));
    hand->fail_next(1'000'000, errc::node_timeout);
    pass(540s);
    BOOST_TEST((outer.valid() && outer.stop_token().stop_requested()));
    BOOST_TEST(unlock(inner) == errc::lease_lost);
    hand->fail_next(0);
}

BOOST_AUTO_TEST_CASE(the_last_unlock_gives_it_back_in_any_order) {
    std::vector<std::size_t> order{0, 1, 2};
    do {
        std::vector<lease> leases;
        for (int i = 0; i < 3; ++i)
            leases.push_back(lock(locks, "key", mine()));
        for (std::size_t n = 0; n < order.size(); ++n) {
            BOOST_TEST(is_held());
            BOOST_TEST(!unlock(leases[order[n]]));
            BOOST_TEST(!leases[order[n]].valid());
            for (std::size_t left = n + 1; left < order.size(); ++left)
                BOOST_TEST(leases[order[left]].valid());
        }
        BOOST_TEST(!is_held());
        BOOST_TEST(unlock(leases[order[0]]) == errc::lease_lost);
    } while (std::next_permutation(order.begin(), order.end()));
}

BOOST_AUTO_TEST_CASE(a_dropped_lease_counts_as_unlocked) {
    lease outer = lock(locks, "key", mine());
    { const lease inner = lock(locks, "key", mine()); }
    settle();
    BOOST_TEST(outer.valid());
    BOOST_TEST(is_held());
    outer = lease();
    settle();
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(the_first_lease_may_end_before_the_second) {
    lease inner;
    {
        lease outer = lock(locks, "key", mine());
        inner = lock(locks, "key", mine());
    }
    settle();
    BOOST_TEST(inner.valid());
    BOOST_TEST(is_held());
    BOOST_TEST(!unlock(inner));
    BOOST_TEST(!is_held());
}

BOOST_AUTO_TEST_CASE(the_owner_may_be_gone_before_his_leases) {
    lease held;
    {
        owner passing;
        lock_options options = patiently();
        options.owner = &passing;
        held = lock(locks, "key", options);
        const owner moved = std::move(passing);
    }
    BOOST_TEST(held.valid());
    BOOST_TEST(!unlock(held));
}

BOOST_AUTO_TEST_CASE(all_of_them_have_one_fencing_token) {
    lock_options fenced = mine();
    fenced.fencing = true;
    lease outer = lock(locks, "key", fenced);
    lease inner = lock(locks, "key", fenced);
    lease plain = lock(locks, "key", mine());
    BOOST_TEST(outer.fencing_token().has_value());
    BOOST_TEST((inner.fencing_token() == outer.fencing_token()));
    BOOST_TEST((plain.fencing_token() == outer.fencing_token()));
}

BOOST_AUTO_TEST_CASE(a_token_cannot_be_had_later) {
    lease outer = lock(locks, "key", mine());
    lock_options fenced = mine(once());
    fenced.fencing = true;
    BOOST_TEST(try_lock(locks, "key", fenced) == errc::invalid_option);
}

// The grant keeps out nobody who reads, and whoever enters to write must not believe that it does.
BOOST_AUTO_TEST_CASE(writing_cannot_be_had_later) {
    lock_options reading = patiently(), writing = mine(once());
    reading.mode = mode::read;
    writing.mode = mode::write;
    lease reader = lock(other, "key", reading);
    lease outer = lock(locks, "key", mine());
    BOOST_TEST(try_lock(locks, "key", writing) == errc::invalid_option);
    BOOST_TEST(!try_lock(locks, "key", mine(once())));
    BOOST_TEST(!unlock(outer));
    BOOST_TEST(!unlock(reader));
    // The other way round it is more than was asked for.
    lease writer = lock(locks, "key", writing);
    BOOST_TEST(!try_lock(locks, "key", mine(once())));
    reading.wait = 0ms;
    BOOST_TEST(try_lock(other, "key", reading) == errc::held);
}

BOOST_AUTO_TEST_CASE(a_longer_ttl_extends_it) {
    lease outer = lock(locks, "key", mine());
    lock_options longer = mine();
    longer.ttl = 3 * long_ttl;
    lease inner = lock(locks, "key", longer);
    settle();
    BOOST_TEST(outer.remaining() > long_ttl);
    BOOST_TEST(inner.remaining() > long_ttl);
    lock_options shorter = mine();
    shorter.ttl = long_ttl / 2;
    lease innermost = lock(locks, "key", shorter);
    settle();
    BOOST_TEST(innermost.remaining() > long_ttl);
}

BOOST_AUTO_TEST_CASE(one_of_them_extends_all) {
    lease outer = lock(locks, "key", mine());
    lease inner = lock(locks, "key", mine());
    BOOST_TEST(!extend(inner, 2 * long_ttl));
    BOOST_TEST(outer.remaining() > long_ttl);
    BOOST_TEST(!unlock(inner));
    BOOST_TEST(extend(inner, 2 * long_ttl) == errc::lease_lost);
    BOOST_TEST(outer.valid());
}

BOOST_AUTO_TEST_CASE(each_has_its_own_to_stop) {
    std::stop_source outer_stop, inner_stop, unlocked_stop;
    lock_options options = mine();
    options.stop = &outer_stop;
    lease outer = lock(locks, "key", options);
    options.stop = &inner_stop;
    lease inner = lock(locks, "key", options);
    options.stop = &unlocked_stop;
    lease unlocked = lock(locks, "key", options);
    lease without = lock(locks, "key", mine());
    const std::stop_token token = without.stop_token();
    outcome<> lost, none;
    inner.async_wait_lost(lost.handler());
    unlocked.async_wait_lost(none.handler());
    BOOST_TEST(!unlock(unlocked));
    BOOST_REQUIRE(complete(none));
    BOOST_TEST(none.error() == asio::error::operation_aborted);
    outcome<> none_later;
    unlocked.async_wait_lost(none_later.handler());
    BOOST_REQUIRE(complete(none_later));
    BOOST_TEST(none_later.error() == asio::error::operation_aborted);
    lose();
    BOOST_REQUIRE(complete(lost));
    BOOST_TEST(!lost.error());
    BOOST_TEST(outer_stop.stop_requested());
    BOOST_TEST(inner_stop.stop_requested());
    BOOST_TEST(token.stop_requested());
    BOOST_TEST(!unlocked_stop.stop_requested());
    BOOST_TEST(!outer.valid());
    BOOST_TEST(!inner.valid());
}

BOOST_AUTO_TEST_CASE(after_a_loss_nobody_enters_again) {
    lease outer = lock(locks, "key", mine());
    lease inner = lock(locks, "key", mine());
    lose();
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(!is_held());
    BOOST_TEST(unlock(inner) == errc::lease_lost);
    BOOST_TEST(try_lock(locks, "key", mine()) == errc::lease_lost);
    BOOST_TEST(unlock(outer) == errc::lease_lost);
    BOOST_TEST(!try_lock(locks, "key", mine()));
}

// Time has passed, and the owner enters before his client has had a chance to see that.
BOOST_AUTO_TEST_CASE(nobody_enters_what_is_over_by_the_clock) {
    for (const std::chrono::milliseconds time : {long_ttl - 60s, long_ttl + 1s}) {
        lease outer = lock(locks, "key", mine());
        outcome<lease> inner;
        let_time_pass(time);
        locks.async_lock("key", mine(), inner.handler());
        BOOST_REQUIRE(complete(inner));
        BOOST_TEST(inner.error() == errc::lease_lost);
        settle();
        BOOST_TEST(unlock(outer) == errc::lease_lost);
        settle();
        BOOST_TEST(!is_held());
    }
}

BOOST_AUTO_TEST_CASE(others_of_the_client_get_it_behind_the_last) {
    lease outer = lock(locks, "key", mine());
    outcome<lease> next;
    locks.async_lock("key", patiently(), next.handler());
    settle();
    lease inner = lock(locks, "key", mine());
    BOOST_TEST(!unlock(outer));
    settle();
    BOOST_TEST(!next.done());
    BOOST_TEST(!unlock(inner));
    BOOST_REQUIRE(complete(next));
    BOOST_TEST(!next.error());
    BOOST_TEST(locks.metrics().handoffs == 1u);
}

BOOST_AUTO_TEST_CASE(other_keys_are_other_locks) {
    lease one = lock(locks, "one", mine());
    hold(24h, "two");
    BOOST_TEST(try_lock(locks, "two", mine(once())) == errc::held);
    BOOST_TEST(try_lock(other, "one", mine(once())) == errc::held); // another client is another place
}

BOOST_AUTO_TEST_CASE(nobody_cannot_own) {
    owner moved = std::move(me);
    BOOST_TEST(me.identity() == 0u); // NOLINT: that is the point
    BOOST_TEST(try_lock(locks, "key", mine(once())) == errc::invalid_option);
    lock_options options = once();
    options.owner = &moved;
    BOOST_TEST(!try_lock(locks, "key", options));
    options.permits = 2;
    BOOST_TEST(try_lock(locks, "key", options) == errc::invalid_option);
}

asio::awaitable<void> say_refusal(client& locks, const owner& by, std::string& said) {
    try {
        auto held = co_await locks.async_lock("key", {.ttl = long_ttl, .permits = 2, .owner = &by});
    } catch (const error_with_diagnostics& e) {
        said = e.what();
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_says_why) {
    std::string said;
    asio::co_spawn(context, say_refusal(locks, me, said), asio::detached);
    BOOST_REQUIRE(run_until([&] { return !said.empty(); }));
    BOOST_TEST(said == "lock_options::owner needs lock_options::permits to be 1");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
