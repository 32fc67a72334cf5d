#pragma once

#include <redlock/detail/diagnosed_handler.hpp>
#include <redlock/with_diagnostics.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace redlock::detail {

/// The default token of every operation: `asio::deferred`, but that a coroutine which awaits the operation is
/// thrown an `error_with_diagnostics`.
struct awaited_t {};

/// An operation that `awaited_t` has put off. Given a token it is like any deferred operation.
template <class Deferred>
class call_operation : public Deferred {
public:
    explicit call_operation(Deferred&& put_off) : Deferred(std::move(put_off)) {}
};

template <class Signature>
struct diagnosed_signature;

template <class R, class... Results>
struct diagnosed_signature<R(boost::system::error_code, Results...)> {
    using type = R(std::exception_ptr, Results...);
};

/// One that was put off by `with_diagnostics(asio::deferred)`: it completes with an exception.
template <class Operation>
class diagnosed_operation {
    using signature =
        typename diagnosed_signature<typename boost::asio::completion_signature_of<Operation>::type>::type;

public:
    explicit diagnosed_operation(Operation&& put_off) : operation_(std::move(put_off)) {}

    template <boost::asio::completion_token_for<signature> Token>
    auto operator()(Token&& token) && {
        return std::move(operation_)(with_diagnostics(std::forward<Token>(token)));
    }
    template <boost::asio::completion_token_for<signature> Token>
    auto operator()(Token&& token) const& {
        return operation_(with_diagnostics(std::forward<Token>(token)));
    }

    Operation&& operation() && noexcept { return std::move(operation_); }

private:
    Operation operation_;
};

/// Starts what `with_diagnostics` adapts, with a handler that takes the error code.
template <class Initiation>
struct diagnosed_initiation {
    template <class Handler, class... Arguments>
    void operator()(Handler&& handler, Arguments&&... arguments) && {
        std::move(initiation)(diagnosed_handler<std::decay_t<Handler>>(std::forward<Handler>(handler)),
                              std::forward<Arguments>(arguments)...);
    }

    Initiation initiation;
};

/// Starts an operation for the coroutine that awaits it, and keeps the diagnosis.
template <class Deferred>
struct awaited_call {
    template <class Handler>
    void operator()(Handler&& handler) && {
        std::move(operation)(awaiting_handler<std::decay_t<Handler>>(std::forward<Handler>(handler), told));
    }

    Deferred&& operation;
    diagnostics told;
};

} // namespace redlock::detail

/// @cond
template <class Signature>
class boost::asio::async_result<redlock::detail::awaited_t, Signature> {
public:
    template <class Initiation, class... Arguments>
    static auto initiate(Initiation&& initiation, redlock::detail::awaited_t, Arguments&&... arguments) {
        deferred_t token;
        return redlock::detail::call_operation(async_initiate<deferred_t, Signature>(
            std::forward<Initiation>(initiation), token, std::forward<Arguments>(arguments)...));
    }
};

template <class Token, class R, class... Results>
class boost::asio::async_result<redlock::with_diagnostics_t<Token>, R(boost::system::error_code, Results...)>
    : public async_result<Token, R(std::exception_ptr, Results...)> { // for the types that adapters ask of it
public:
    template <class Initiation, class Adapted, class... Arguments>
    static auto initiate(Initiation&& initiation, Adapted&& adapted, Arguments&&... arguments) {
        using plain = R(boost::system::error_code, Results...);
        using diagnosed = R(std::exception_ptr, Results...);
        if constexpr (std::is_same_v<Token, deferred_t>) {
            redlock::detail::awaited_t token;
            return redlock::detail::diagnosed_operation(async_initiate<redlock::detail::awaited_t, plain>(
                std::forward<Initiation>(initiation), token, std::forward<Arguments>(arguments)...));
        } else {
            Token token(std::forward<Adapted>(adapted).token);
            return async_initiate<Token, diagnosed>(
                redlock::detail::diagnosed_initiation<std::decay_t<Initiation>>{
                    std::forward<Initiation>(initiation)},
                token, std::forward<Arguments>(arguments)...);
        }
    }
};

template <class Token, class R, class... Results>
class boost::asio::async_result<redlock::with_diagnostics_t<Token>, R(std::exception_ptr, Results...)>
    : public async_result<Token, R(std::exception_ptr, Results...)> {
public:
    template <class Initiation, class Adapted, class... Arguments>
    static auto initiate(Initiation&& initiation, Adapted&& adapted, Arguments&&... arguments) {
        Token token(std::forward<Adapted>(adapted).token);
        return async_initiate<Token, R(std::exception_ptr, Results...)>(
            std::forward<Initiation>(initiation), token, std::forward<Arguments>(arguments)...);
    }
};

template <class Deferred>
struct boost::asio::is_deferred<redlock::detail::call_operation<Deferred>> : std::true_type {};

// Asio has no way to say what an awaited operation throws, so that here stands in for its own class: it makes
// the handler and keeps the results, and this adds a place for the diagnosis. docs/traps.md says more.
template <class Signature, class Deferred, class Executor>
class boost::asio::detail::awaitable_async_op<Signature, redlock::detail::call_operation<Deferred>, Executor>
    : private redlock::detail::awaited_call<Deferred>,
      public boost::asio::detail::awaitable_async_op<Signature, redlock::detail::awaited_call<Deferred>,
                                                     Executor> {
    using call = redlock::detail::awaited_call<Deferred>;
    using base = awaitable_async_op<Signature, call, Executor>;

public:
    /// `rest` is Asio's.
    template <class... Rest>
    explicit awaitable_async_op(redlock::detail::call_operation<Deferred>&& put_off, Rest&&... rest)
        : call{std::move(put_off), {}},
          base(std::move(static_cast<call&>(*this)), std::forward<Rest>(rest)...) {}
    awaitable_async_op(const awaitable_async_op&) = delete; // it refers to itself

    auto await_resume() {
        if (call::told) [[unlikely]]
            redlock::detail::throw_diagnosed(std::move(call::told));
        return base::await_resume();
    }
};

// By way of the operation inside: in Boost 1.81 awaiting one that completes with (exception_ptr, T) does not
// compile.
template <class Signature, class Operation, class Executor>
class boost::asio::detail::awaitable_async_op<Signature, redlock::detail::diagnosed_operation<Operation>,
                                              Executor>
    : public boost::asio::detail::awaitable_async_op<
          typename boost::asio::completion_signature_of<Operation>::type, Operation, Executor> {
    using base = awaitable_async_op<typename boost::asio::completion_signature_of<Operation>::type, Operation,
                                    Executor>;

public:
    template <class... Rest>
    explicit awaitable_async_op(redlock::detail::diagnosed_operation<Operation>&& put_off, Rest&&... rest)
        : base(std::move(put_off).operation(), std::forward<Rest>(rest)...) {}
};
/// @endcond
