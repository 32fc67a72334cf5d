#pragma once

#include "lock_fixture.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <ostream>

namespace redlock::test {

/// Every asynchronous operation of the public surface.
enum class operation {
    lock,
    try_lock,
    with_lock,
    inspect,
    break_lock,
    examine,
    check,
    unlock,
    extend,
    wait_lost,
    close
};

inline constexpr operation all_operations[] = {
    operation::lock,       operation::try_lock,  operation::with_lock, operation::inspect,
    operation::break_lock, operation::examine,   operation::check,     operation::unlock,
    operation::extend,     operation::wait_lost, operation::close};

std::ostream& operator<<(std::ostream& out, operation what);

/// How an operation ended.
struct ending {
    int completions = 0;
    error_code error;
    lease granted;
};

/// Waits until it is cancelled.
asio::awaitable<void> wait_for_cancellation(lease&);

/// Starts an operation: on key "wanted", or on `held`. It is cancelled through `slot`, and neither it nor its
/// handler refers to anything but `end`.
void start(operation what, client& locks, lease& held, const std::shared_ptr<ending>& end,
           asio::cancellation_slot slot = {});

/// The same as a coroutine.
asio::awaitable<void> perform(operation what, client& locks, lease& held);

} // namespace redlock::test
