#include "lock_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <type_traits>

namespace redlock::test {
namespace {

static_assert(!std::is_copy_constructible_v<lease> && std::is_nothrow_move_constructible_v<lease>);
static_assert(std::is_nothrow_destructible_v<lease>);

BOOST_FIXTURE_TEST_SUITE(lease_object, lock_fixture)

BOOST_AUTO_TEST_CASE(its_destructor_releases_the_key) {
    client locks(context.get_executor(), settings());
    {
        lease held = lock(locks, "key");
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == 5; }));
    }
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(locks.metrics().held == 0u);
}

BOOST_AUTO_TEST_CASE(it_holds_wherever_it_is_moved_to) {
    client locks(context.get_executor(), settings());
    lease first = lock(locks, "first");
    lease second = lock(locks, "second");
    lease moved = std::move(first);
    BOOST_TEST(moved.valid());
    BOOST_TEST(!first.valid());
    BOOST_TEST(!first);
    moved = std::move(second);
    BOOST_TEST(moved.key() == "second");
    BOOST_TEST(moved.valid());
    BOOST_TEST(becomes_free("first"));
    BOOST_TEST(nodes.holders("second") >= 3u);
}

BOOST_AUTO_TEST_CASE(a_second_unlock_finds_it_lost) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key");
    BOOST_TEST(!unlock(held));
    BOOST_TEST(unlock(held) == errc::lease_lost);
    outcome<> first;
    outcome<> second;
    lease again = lock(locks, "key");
    again.async_unlock(first.handler());
    again.async_unlock(second.handler());
    BOOST_TEST(!again.valid());
    BOOST_TEST(run_until([&] { return first.done() && second.done(); }));
    BOOST_TEST(!first.error());
    BOOST_TEST(second.error() == errc::lease_lost);
    // An unlock is no loss.
    BOOST_TEST(!again.stop_token().stop_requested());
}

BOOST_AUTO_TEST_CASE(an_empty_lease_is_lost) {
    lease none;
    BOOST_TEST(!none);
    BOOST_TEST(!none.valid());
    BOOST_TEST(none.remaining().count() == 0);
    BOOST_TEST(none.key() == "");
    BOOST_TEST(!none.fencing_token().has_value());
    BOOST_TEST(!none.stop_token().stop_possible());
    const auto ask = [&](auto start) {
        outcome<> result;
        start(asio::bind_executor(context, result.handler()));
        BOOST_TEST(!result.done());
        BOOST_TEST(run_until([&] { return result.done(); }));
        return result.error();
    };
    BOOST_TEST(ask([&](auto token) { none.async_unlock(token); }) == errc::lease_lost);
    BOOST_TEST(ask([&](auto token) { none.async_extend(1s, token); }) == errc::lease_lost);
    BOOST_TEST(ask([&](auto token) { none.async_wait_lost(token); }) == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(it_may_outlive_its_client) {
    std::optional<client> locks(std::in_place, context.get_executor(), settings());
    lease held = lock(*locks, "key");
    locks.reset();
    BOOST_TEST(run_until([&] { return !held.valid(); }));
    BOOST_TEST(becomes_free("key"));
    BOOST_TEST(held.stop_token().stop_requested());
    BOOST_TEST(unlock(held) == errc::closed);
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_loss_ends_with_the_unlock) {
    client locks(context.get_executor(), settings());
    lease held = lock(locks, "key");
    outcome<> lost;
    held.async_wait_lost(lost.handler());
    BOOST_TEST(!run_until(50ms, [&] { return lost.done(); }));
    BOOST_TEST(!unlock(held));
    BOOST_TEST(run_until([&] { return lost.done(); }));
    BOOST_TEST(lost.error() == asio::error::operation_aborted);
}

// What g++ 12 gets wrong with aggregates that need destruction, in the forms a caller writes.
// AddressSanitizer watches.
BOOST_AUTO_TEST_CASE(braced_options_can_be_awaited) {
    client locks(context.get_executor(), settings());
    const std::string order = "4711";
    auto use = [&]() -> asio::awaitable<int> {
        std::stop_source work;
        auto held = co_await locks.async_lock("order:" + order, {.ttl = 5s, .wait = 2s, .stop = &work});
        BOOST_TEST(held.valid());
        auto [failure, second] = co_await locks.async_try_lock(std::string("order:") + order, {.ttl = 5s},
                                                               asio::as_tuple(asio::use_awaitable));
        BOOST_TEST(failure == errc::held);
        co_await held.async_extend(6s);
        co_await held.async_unlock();
        co_await locks.async_with_lock("order:" + order, {.ttl = 5s, .stop = &work},
                                       [](lease&) -> asio::awaitable<void> { co_return; });
        co_return co_await locks.async_with_lock("order:" + order, {.ttl = 5s, .wait = 2s},
                                                 [](lease&) -> asio::awaitable<int> { co_return 7; });
    };
    BOOST_TEST(run(use()) == 7);
    BOOST_TEST(becomes_free("order:4711"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
