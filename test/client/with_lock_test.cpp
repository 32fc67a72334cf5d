#include "lock_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

namespace redlock::test {
namespace {

asio::awaitable<void> wait_for_ever() {
    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

struct with_lock_test_fixture : proxied_fixture {
    client locks{context.get_executor(), settings()};

    // The error that the whole ends with; a default one when it succeeds.
    template <class Body>
    error_code error_of(lock_options options, Body body) {
        try {
            run(whole(options, std::move(body)));
            return {};
        } catch (const boost::system::system_error& e) {
            return e.code();
        }
    }
    template <class Body>
    asio::awaitable<void> whole(lock_options options, Body body) {
        co_await locks.async_with_lock("key", options, std::move(body), asio::use_awaitable);
    }
};

BOOST_FIXTURE_TEST_SUITE(with_lock_suite, with_lock_test_fixture)

BOOST_AUTO_TEST_CASE(the_body_runs_under_the_lock_and_its_result_goes_on) {
    auto body = [&](lease& held) -> asio::awaitable<std::string> {
        BOOST_TEST(held.valid());
        BOOST_TEST(held.key() == "key");
        BOOST_TEST(nodes.holders("key") >= 3u);
        co_return "result";
    };
    BOOST_TEST(run(locks.async_with_lock("key", patiently(), body, asio::use_awaitable)) == "result");
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(a_result_may_be_movable_only) {
    auto body = [](lease&) -> asio::awaitable<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
    BOOST_TEST(*run(locks.async_with_lock("key", patiently(), body, asio::use_awaitable)) == 5);
}

BOOST_AUTO_TEST_CASE(the_body_s_exception_goes_on_after_the_release) {
    auto body = [&](lease&) -> asio::awaitable<void> {
        throw std::logic_error("on purpose");
        co_return;
    };
    BOOST_CHECK_THROW(run(whole(patiently(), body)), std::logic_error);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(without_the_lock_the_body_does_not_run) {
    client other(context.get_executor(), settings());
    lease held = lock(other, "key");
    bool ran = false;
    auto body = [&](lease&) -> asio::awaitable<void> {
        ran = true;
        co_return;
    };
    BOOST_TEST(error_of(once(), body) == errc::held);
    BOOST_TEST(error_of({.ttl = long_ttl, .wait = 100ms}, body) == errc::wait_timeout);
    BOOST_TEST(!ran);
    BOOST_TEST(held.valid());
}

BOOST_AUTO_TEST_CASE(a_loss_cancels_what_the_body_waits_for) {
    error_code seen;
    bool was_valid = false;
    auto body = [&](lease& held) -> asio::awaitable<void> {
        for (auto& proxy : proxies)
            proxy.black_hole();
        asio::steady_timer timer(context, asio::steady_timer::time_point::max());
        try {
            co_await timer.async_wait(asio::use_awaitable);
        } catch (const boost::system::system_error& e) {
            seen = e.code();
            was_valid = held.valid();
            throw;
        }
    };
    BOOST_TEST(error_of({.ttl = 3s, .stop_margin = 1s}, body) == errc::lease_lost);
    BOOST_TEST(seen == asio::error::operation_aborted);
    BOOST_TEST(was_valid);
}

BOOST_AUTO_TEST_CASE(a_body_that_ends_its_work_after_the_loss_is_told_all_the_same) {
    auto body = [&](lease&) -> asio::awaitable<void> {
        for (auto& node : nodes)
            node.command({"DEL", "key"});
        try {
            co_await wait_for_ever();
        } catch (const boost::system::system_error&) {
            // It leaves in good order, as if nothing had happened.
        }
    };
    BOOST_TEST(error_of({.ttl = 2s}, body) == errc::lease_lost);
    BOOST_TEST(becomes_free("key"));
}

BOOST_AUTO_TEST_CASE(cancelling_the_whole_cancels_the_wait_or_the_body) {
    for (const bool inside : {false, true}) {
        client other(context.get_executor(), settings());
        lease held;
        if (!inside) held = lock(other, "key");
        bool entered = false;
        int completions = 0;
        error_code failure;
        auto body = [&](lease&) -> asio::awaitable<void> {
            entered = true;
            co_await wait_for_ever();
        };
        auto end = [&](std::exception_ptr e) {
            ++completions;
            try {
                if (e) std::rethrow_exception(e);
            } catch (const boost::system::system_error& error) {
                failure = error.code();
            }
        };
        asio::cancellation_signal cancel;
        locks.async_with_lock("key", patiently(), body, asio::bind_cancellation_slot(cancel.slot(), end));
        BOOST_TEST(run_until(inside ? patience : 200ms, [&] { return entered; }) == inside);
        cancel.emit(asio::cancellation_type::terminal);
        BOOST_TEST(run_until([&] { return completions == 1; }));
        BOOST_TEST(failure == asio::error::operation_aborted);
        held = lease();
        BOOST_TEST(becomes_free("key"));
        BOOST_TEST(completions == 1);
    }
}

BOOST_AUTO_TEST_CASE(closing_the_client_ends_the_body) {
    bool entered = false;
    error_code failure;
    int completions = 0;
    auto body = [&](lease&) -> asio::awaitable<void> {
        entered = true;
        co_await wait_for_ever();
    };
    locks.async_with_lock("key", patiently(), body, [&](std::exception_ptr e) {
        ++completions;
        try {
            if (e) std::rethrow_exception(e);
        } catch (const boost::system::system_error& error) {
            failure = error.code();
        }
    });
    BOOST_REQUIRE(run_until([&] { return entered; }));
    close(locks);
    BOOST_TEST(run_until([&] { return completions == 1; }));
    BOOST_TEST(failure == errc::closed);
    BOOST_TEST(nodes.holders("key") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
