#pragma once

#include "lock_fixture.hpp"

#include <redlock/with_diagnostics.hpp>

#include <exception>
#include <string>
#include <tuple>

namespace redlock::test {

/// How an operation failed, as whoever catches it sees it.
struct failure {
    error_code code;
    std::string what;
    bool diagnosed = false;

    bool says(std::string_view words) const { return what.find(words) != std::string::npos; }
};

inline failure failure_of(const std::exception_ptr& thrown) {
    if (!thrown) return {};
    try {
        std::rethrow_exception(thrown);
    } catch (const error_with_diagnostics& e) {
        return {e.code(), e.what(), true};
    } catch (const boost::system::system_error& e) {
        return {e.code(), e.what(), false};
    }
}

/// Of a coroutine that awaits the operation.
template <class T>
failure failure_of(event_loop& loop, asio::awaitable<T> coroutine) {
    try {
        loop.run(std::move(coroutine));
        return {};
    } catch (const boost::system::system_error&) {
        return failure_of(std::current_exception());
    }
}

/// Awaits a lock as programs do, without a token.
inline asio::awaitable<void> await_lock(client& locks, std::string key, lock_options options) {
    std::ignore = co_await locks.async_lock(key, options);
}

} // namespace redlock::test
