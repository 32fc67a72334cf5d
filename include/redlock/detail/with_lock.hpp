#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>
#include <redlock/lease_set.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace redlock::detail {

/// `Held` is a `lease` or a `lease_set`.
template <class Body, class Held>
using body_result = typename std::invoke_result_t<Body&, Held&>::value_type;

template <class T>
struct with_lock_completion {
    using signature = void(std::exception_ptr, T);
    using stored = std::optional<T>;
    /// Not deferred: in Boost 1.81 awaiting a deferred operation that completes with (exception_ptr, T) does
    /// not compile.
    using default_token = asio::use_awaitable_t<>;
};

template <>
struct with_lock_completion<void> {
    using signature = void(std::exception_ptr);
    using stored = std::monostate;
    using default_token = asio::deferred_t;
};

template <class Body, class Held = lease>
using with_lock_token = typename with_lock_completion<body_result<Body, Held>>::default_token;

/// Runs the body as a coroutine of its own, which honours every type of cancellation. A spawned coroutine
/// that was cancelled and ends without suspending again would never complete on this Asio: hence cancellation
/// stops throwing before it ends, whichever way it ends.
template <class T, class Body, class Held>
asio::awaitable<void> run_body(Body& body, Held& held, typename with_lock_completion<T>::stored& result) {
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    std::exception_ptr failure;
    try {
        if constexpr (std::is_void_v<T>)
            co_await body(held);
        else
            result.emplace(co_await body(held));
    } catch (...) {
        failure = std::current_exception();
    }
    co_await asio::this_coro::throw_if_cancelled(false);
    if (failure) std::rethrow_exception(failure);
}

/// The lease was lost while the body ran.
[[noreturn]] void throw_lost_under(const lease& held);
[[noreturn]] void throw_lost_under(const lease_set& held);

/// Starts what was prepared, when the token says so.
template <class Prepared, class Token>
auto start_prepared(Prepared prepared, Token& token) {
    using granted = typename Prepared::granted;
    return asio::async_initiate<Token, void(error_code, granted)>(
        [](auto&& handler, Prepared call) {
            auto slot = cancellation_slot_of(handler);
            call.start(
                erase_handler<granted>(std::forward<decltype(handler)>(handler), call.clients_executor()),
                slot);
        },
        token, std::move(prepared));
}

/// The whole of async_with_lock: acquire, run the body until it ends or the lease is lost, release.
template <class T, class Prepared, class Body>
asio::awaitable<T> hold_while(Prepared prepared, Body body) {
    using granted = typename Prepared::granted;
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    awaited_t token;
    granted held = co_await start_prepared(std::move(prepared), token);
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) {
        // It came when the grant was on its way here.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await held.async_unlock(asio::as_tuple(asio::deferred));
        throw boost::system::system_error(asio::error::operation_aborted, "async_with_lock");
    }

    typename with_lock_completion<T>::stored result{};
    auto strand = co_await asio::this_coro::executor;
    auto body_and_loss = asio::experimental::make_parallel_group(
        asio::co_spawn(strand, run_body<T, Body, granted>(body, held, result), asio::deferred),
        held.async_wait_lost());
    auto [order, failure, loss] =
        co_await body_and_loss.async_wait(asio::experimental::wait_for_one(), asio::deferred);

    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto [unlock_error] = co_await held.async_unlock(asio::as_tuple(asio::deferred));
    if (!loss || unlock_error == errc::lease_lost) throw_lost_under(held);
    if (loss == errc::closed)
        throw boost::system::system_error(make_error_code(errc::closed), "async_with_lock");
    if (failure) std::rethrow_exception(failure);
    if constexpr (!std::is_void_v<T>) co_return std::move(*result);
}

template <class Prepared, class Body, class Token>
auto with_lock(Prepared prepared, Body body, Token& token) {
    using result = body_result<Body, typename Prepared::granted>;
    // Mutable, for g++ 12 takes an object without members for uninitialized where it is called as a constant.
    return asio::async_initiate<Token, typename with_lock_completion<result>::signature>(
        [](auto&& handler, Prepared call, Body run) mutable {
            auto executor = asio::get_associated_executor(handler, call.clients_executor());
            auto strand = asio::make_strand(asio::any_io_executor(executor));
            asio::co_spawn(strand, hold_while<result, Prepared, Body>(std::move(call), std::move(run)),
                           asio::bind_executor(executor, std::forward<decltype(handler)>(handler)));
        },
        token, std::move(prepared), std::move(body));
}

} // namespace redlock::detail
