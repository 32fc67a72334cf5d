#pragma once

#include "support/eventually.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace redlock::test {

/// Runs handlers of `context` in this thread until `predicate()` is true. Returns false when the bound
/// passed. The predicate is looked at after every handler, and every few milliseconds for what other threads
/// change.
template <class Predicate>
bool run_until(boost::asio::io_context& context, std::chrono::milliseconds bound, Predicate predicate) {
    const auto deadline = std::chrono::steady_clock::now() + bound;
    while (!predicate()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        if (context.stopped()) context.restart();
        const auto next_look = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        // A context that has run out of work returns at once, and would be asked again in a hot loop.
        if (context.run_one_until(next_look) == 0) std::this_thread::sleep_until(next_look);
    }
    return true;
}

/// An `io_context` that a test runs itself, step by step, in its own thread. Use it as a base class of a
/// fixture.
struct event_loop {
    boost::asio::io_context context{1};

    template <class Predicate>
    bool run_until(std::chrono::milliseconds bound, Predicate predicate) {
        return test::run_until(context, bound, std::move(predicate));
    }

    template <class Predicate>
    bool run_until(Predicate predicate) {
        return test::run_until(context, patience, std::move(predicate));
    }

    /// Runs a coroutine to its end and returns its result or throws its exception. Throws
    /// `std::runtime_error`, which fails the test, when the bound passed; the coroutine is then destroyed
    /// with the context.
    template <class T>
    T run(boost::asio::awaitable<T> coroutine, std::chrono::milliseconds bound = patience) {
        // Shared with the handler, which outlives this call when the bound passes.
        struct outcome {
            bool done = false;
            std::exception_ptr failure;
            std::conditional_t<std::is_void_v<T>, std::optional<bool>, std::optional<T>> value;
        };
        auto result = std::make_shared<outcome>();
        auto keep = [result](std::exception_ptr failure, auto... value) {
            result->failure = failure;
            if constexpr (sizeof...(value) > 0) {
                if (!failure) (result->value.emplace(std::move(value)), ...);
            }
            result->done = true;
        };
        boost::asio::co_spawn(context, std::move(coroutine), std::move(keep));
        if (!run_until(bound, [&] { return result->done; }))
            throw std::runtime_error("the coroutine did not end in time");
        if (result->failure) std::rethrow_exception(result->failure);
        if constexpr (!std::is_void_v<T>) return std::move(*result->value);
    }
};

} // namespace redlock::test
