// How what is said of a failure comes to whoever wants to hear it, and to nobody else.

#include "failure.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace redlock::test {
namespace {

// The completion of a coroutine that awaits a lock on the client's own loop takes one line of the caches.
using awaiting = detail::awaiting_handler<
    asio::detail::awaitable_async_op_handler<void(error_code, lease), asio::any_io_executor>>;
static_assert(sizeof(detail::handler_completion<awaiting, detail::clients_loop, lease>) <= 64);

constexpr const char* somebody_has_it = "somebody else holds the lock \"key\"";

struct with_diagnostics_test_fixture : lock_fixture {
    with_diagnostics_test_fixture() : lock_fixture(3) { held = lock(other, "key"); }

    /// What a handler was called with.
    struct call {
        int count = 0;
        failure failed;
        lease granted;
        bool on_strand = false;
    };
    auto into(call& c) {
        return [this, &c](std::exception_ptr thrown, lease granted) {
            ++c.count;
            c.failed = failure_of(thrown);
            c.granted = std::move(granted);
            c.on_strand = strand.running_in_this_thread();
        };
    }
    void check_held(call& c) {
        BOOST_TEST(run_until([&] { return c.count > 0; }));
        BOOST_TEST(c.count == 1);
        BOOST_TEST(c.failed.code == errc::held);
        BOOST_TEST(c.failed.what == somebody_has_it);
        BOOST_TEST(!c.granted);
    }

    client locks{context.get_executor(), settings()};
    client other{context.get_executor(), settings()};
    lease held;
    asio::strand<asio::io_context::executor_type> strand{context.get_executor()};
};

template <class Operation>
asio::awaitable<void> await_operation(Operation operation) {
    static_cast<void>(co_await std::move(operation));
}

BOOST_FIXTURE_TEST_SUITE(with_diagnostics_suite, with_diagnostics_test_fixture)

BOOST_AUTO_TEST_CASE(a_coroutine_is_thrown_the_sentence_and_catches_a_system_error) {
    const auto locker = [&]() -> asio::awaitable<void> {
        try {
            std::ignore = co_await locks.async_lock("key", once());
        } catch (const boost::system::system_error& e) {
            BOOST_TEST(e.code() == errc::held);
            BOOST_TEST(std::string(e.what()) == somebody_has_it);
            throw;
        }
    };
    BOOST_TEST(failure_of(*this, locker()).diagnosed);
    const auto granted = [&]() -> asio::awaitable<void> {
        lease free = co_await locks.async_lock("free", once());
        BOOST_TEST(free.valid());
        co_await free.async_unlock();
    };
    BOOST_TEST(!failure_of(*this, granted()).code);
}

BOOST_AUTO_TEST_CASE(other_tokens_get_the_code_as_before) {
    const auto plain = [&]() -> asio::awaitable<void> {
        auto [code, none] = co_await locks.async_lock("key", once(), asio::as_tuple(asio::deferred));
        BOOST_TEST(code == errc::held);
        error_code redirected;
        std::ignore =
            co_await locks.async_lock("key", once(), asio::redirect_error(asio::use_awaitable, redirected));
        BOOST_TEST(redirected == errc::held);
        std::ignore = co_await locks.async_lock("key", once(), asio::use_awaitable);
    };
    const failure f = failure_of(*this, plain());
    BOOST_TEST(f.code == errc::held);
    BOOST_TEST(!f.diagnosed);
    outcome<lease> result;
    locks.async_lock("key", once(), result.handler());
    BOOST_TEST(run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == errc::held);
}

BOOST_AUTO_TEST_CASE(a_callback_gets_an_exception_or_none) {
    call c;
    locks.async_lock("key", once(), with_diagnostics(into(c)));
    BOOST_TEST(c.count == 0);
    check_held(c);
    call granted;
    locks.async_lock("free", once(), with_diagnostics(into(granted)));
    BOOST_TEST(run_until([&] { return granted.count == 1; }));
    BOOST_TEST(!granted.failed.code);
    BOOST_TEST(granted.granted.valid());
}

BOOST_AUTO_TEST_CASE(a_future_throws_the_sentence) {
    std::future<lease> promised = locks.async_lock("key", once(), with_diagnostics(asio::use_future));
    BOOST_TEST(run_until([&] { return promised.wait_for(0s) == std::future_status::ready; }));
    try {
        (void)promised.get();
        BOOST_ERROR("the lock is not to be had");
    } catch (const error_with_diagnostics& e) {
        BOOST_TEST(e.code() == errc::held);
        BOOST_TEST(std::string(e.what()) == somebody_has_it);
    }
}

BOOST_AUTO_TEST_CASE(what_is_bound_to_a_handler_counts_on_either_side) {
    const std::allocator<void> memory;
    call inside;
    locks.async_lock("key", once(), with_diagnostics(asio::bind_executor(strand, into(inside))));
    check_held(inside);
    BOOST_TEST(inside.on_strand);
    call outside;
    locks.async_lock("key", once(), asio::bind_executor(strand, with_diagnostics(into(outside))));
    check_held(outside);
    BOOST_TEST(outside.on_strand);
    call allocated;
    locks.async_lock("key", once(), asio::bind_allocator(memory, with_diagnostics(into(allocated))));
    check_held(allocated);
}

BOOST_AUTO_TEST_CASE(a_deferred_operation_can_be_kept_copied_and_moved) {
    auto operation = locks.async_lock("key", once());
    const auto copy = operation;
    auto moved = std::move(operation);
    for (int i = 0; i < 2; ++i)
        BOOST_TEST(failure_of(*this, await_operation(copy)).what == somebody_has_it);
    BOOST_TEST(failure_of(*this, await_operation(std::move(moved))).what == somebody_has_it);
    outcome<lease> result;
    copy(result.handler());
    BOOST_TEST(run_until([&] { return result.done(); }));
    BOOST_TEST(result.error() == errc::held);
    call c;
    auto again = copy;
    std::move(again)(with_diagnostics(into(c)));
    check_held(c);
}

BOOST_AUTO_TEST_CASE(a_deferred_operation_may_complete_with_an_exception) {
    const auto operation = locks.async_lock("key", once(), with_diagnostics(asio::deferred));
    BOOST_TEST(failure_of(*this, await_operation(operation)).what == somebody_has_it);
    call c;
    operation(into(c));
    check_held(c);
    const auto tuple = [&]() -> asio::awaitable<std::exception_ptr> {
        auto [thrown, none] =
            co_await locks.async_lock("key", once(), with_diagnostics(asio::as_tuple(asio::use_awaitable)));
        co_return thrown;
    };
    BOOST_TEST(failure_of(run(tuple())).what == somebody_has_it);
    const auto unlock = [&]() -> asio::awaitable<void> {
        co_await lease().async_unlock(with_diagnostics(asio::deferred));
    };
    BOOST_TEST(failure_of(*this, unlock()).code == errc::lease_lost);
}

BOOST_AUTO_TEST_CASE(it_takes_part_in_groups) {
    asio::steady_timer never(context, asio::steady_timer::time_point::max());
    const auto group = [&]() -> asio::awaitable<void> {
        auto both = asio::experimental::make_parallel_group(
            locks.async_lock("key", once()), never.async_wait(asio::deferred),
            locks.async_lock("key", patiently(), with_diagnostics(asio::deferred)));
        auto [order, code, none, timer, thrown, neither] =
            co_await both.async_wait(asio::experimental::wait_for_one(), asio::deferred);
        BOOST_TEST(order[0] == 0u);
        BOOST_TEST(code == errc::held);
        BOOST_TEST(failure_of(thrown).code == asio::error::operation_aborted);
    };
    BOOST_TEST(!failure_of(*this, group()).code);
    const auto either = [&]() -> asio::awaitable<void> {
        using namespace asio::experimental::awaitable_operators;
        auto first = co_await (locks.async_lock("free", once(), with_diagnostics(asio::use_awaitable)) ||
                               never.async_wait(asio::use_awaitable));
        BOOST_TEST(std::get<0>(first).valid());
    };
    BOOST_TEST(!failure_of(*this, either()).code);
}

BOOST_AUTO_TEST_CASE(a_cancelled_operation_has_nothing_to_say) {
    call c;
    asio::cancellation_signal cancel;
    locks.async_lock("key", patiently(),
                     asio::bind_cancellation_slot(cancel.slot(), with_diagnostics(into(c))));
    BOOST_TEST(run_until([&] { return locks.metrics().waiting == 1; }));
    cancel.emit(asio::cancellation_type::total);
    BOOST_TEST(run_until([&] { return c.count == 1; }));
    BOOST_TEST(c.failed.code == asio::error::operation_aborted);
    BOOST_TEST(!c.failed.diagnosed);

    asio::cancellation_signal stop;
    std::optional<failure> ended;
    asio::co_spawn(context, await_lock(locks, "key", patiently()),
                   asio::bind_cancellation_slot(
                       stop.slot(), [&](std::exception_ptr thrown) { ended = failure_of(thrown); }));
    BOOST_TEST(run_until([&] { return locks.metrics().waiting == 1; }));
    stop.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_until([&] { return ended.has_value(); }));
    BOOST_TEST(ended->code == asio::error::operation_aborted);
    BOOST_TEST(!ended->diagnosed);
}

// A composed operation of the user's that tries a lock, and then fails for a reason of its own.
BOOST_AUTO_TEST_CASE(the_sentence_belongs_to_its_own_error) {
    const auto locked_or = [&](error_code instead, auto token) {
        return asio::async_compose<decltype(token), void(error_code, lease)>(
            [this, instead, begun = false](auto& self, error_code code = {}, lease got = {}) mutable {
                if (!std::exchange(begun, true)) return locks.async_lock("key", once(), std::move(self));
                self.complete(instead ? instead : code, std::move(got));
            },
            token, context);
    };
    call passed_on;
    locked_or({}, with_diagnostics(into(passed_on)));
    check_held(passed_on);
    call replaced;
    locked_or(asio::error::eof, with_diagnostics(into(replaced)));
    BOOST_TEST(run_until([&] { return replaced.count == 1; }));
    BOOST_TEST(replaced.failed.code == asio::error::eof);
    BOOST_TEST(!replaced.failed.diagnosed);
}

BOOST_AUTO_TEST_CASE(with_lock_gives_exceptions_by_itself) {
    auto body = [](lease&) -> asio::awaitable<int> { co_return 5; };
    const auto whole = [&](std::string key) -> asio::awaitable<int> {
        co_return co_await locks.async_with_lock(key, once(), body, with_diagnostics(asio::use_awaitable));
    };
    BOOST_TEST(run(whole("free")) == 5);
    BOOST_TEST(failure_of(*this, whole("key")).what == somebody_has_it);
    std::optional<failure> ended;
    locks.async_with_lock("key", once(), body,
                          [&](std::exception_ptr thrown, int) { ended = failure_of(thrown); });
    BOOST_TEST(run_until([&] { return ended.has_value(); }));
    BOOST_TEST(ended->what == somebody_has_it);
}

BOOST_AUTO_TEST_SUITE_END()

// The frames go with their context, whatever was about to be said there.
BOOST_AUTO_TEST_CASE(with_diagnostics_of_a_context_that_ends) {
    std::optional<with_diagnostics_test_fixture> f(std::in_place);
    asio::co_spawn(f->context, await_lock(f->locks, "key", patiently()), asio::detached);
    asio::co_spawn(f->context, await_lock(f->locks, "key", once()), asio::detached);
    BOOST_TEST(f->run_until([&] { return f->locks.metrics().waiting == 1; }));
    f.reset();
}

} // namespace
} // namespace redlock::test
