// Several keys in coroutines, and under a function.

#include "lock_all_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <tuple>

namespace redlock::test {
namespace {

namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(lock_all_coroutine_suite, lock_all_fixture,
                         *boost::unit_test::precondition(engine_in_hand))

asio::awaitable<int> under_both(lease_set& held) {
    co_return held.valid() ? static_cast<int>(held.size()) : 0;
}

asio::awaitable<void> for_ever(lease_set&) {
    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

BOOST_AUTO_TEST_CASE(a_function_runs_under_all_of_them) {
    int result = 0;
    locks.async_with_lock(keys{"a", "b"}, patiently(), under_both, [&](std::exception_ptr failure, int n) {
        BOOST_TEST(!failure);
        result = n;
    });
    BOOST_REQUIRE(run_until([&] { return result != 0; }));
    BOOST_TEST(result == 2);
    settle();
    expect_free({"a", "b"});
}

BOOST_AUTO_TEST_CASE(a_function_ends_with_the_loss_of_one) {
    std::string said;
    locks.async_with_lock(keys{"a", "b"}, patiently(), for_ever, [&](std::exception_ptr failure) {
        try {
            std::rethrow_exception(failure);
        } catch (const boost::system::system_error& e) {
            BOOST_TEST(e.code() == errc::lease_lost);
            said = e.what();
        }
    });
    BOOST_REQUIRE(run_until([&] { return is_held("b"); }));
    lose("b");
    BOOST_REQUIRE(run_until([&] { return !said.empty(); }));
    BOOST_TEST(said == "the lease of one of the locks \"a\", \"b\" was lost while the function of "
                       "async_with_lock ran");
    settle();
    expect_free({"a", "b"});
}

asio::awaitable<std::size_t> await_all(client& locks) {
    const std::vector<std::string> wanted{"a", "b", "a"};
    auto held = co_await locks.async_lock_all(wanted, {.ttl = long_ttl});
    const std::size_t size = held.size();
    co_await held.async_unlock();
    co_return size;
}

BOOST_AUTO_TEST_CASE(a_coroutine_awaits_all_of_them) {
    std::size_t size = 0;
    asio::co_spawn(context, await_all(locks), [&](std::exception_ptr failure, std::size_t n) {
        BOOST_TEST(!failure);
        size = n;
    });
    BOOST_REQUIRE(run_until([&] { return size != 0; }));
    BOOST_TEST(size == 2u);
}

asio::awaitable<void> await_held(client& locks, std::string& said) {
    const std::vector<std::string> wanted{"a", "b"};
    try {
        std::ignore = co_await locks.async_lock_all(wanted, {.ttl = long_ttl, .wait = 0ms});
    } catch (const error_with_diagnostics& e) {
        said = e.what();
    }
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_key) {
    hold(24h, "b");
    std::string said;
    asio::co_spawn(context, await_held(locks, said), asio::detached);
    BOOST_REQUIRE(run_until([&] { return !said.empty(); }));
    BOOST_TEST(said == "somebody else holds the lock \"b\"");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
