// Begins each operation, and is given a lease, and drops what it gets. Of what the default token gives Asio
// says that it must not be dropped; of a future nobody does but we.

#include <redlock/redlock.hpp>

#include <boost/asio/use_future.hpp>

using boost::asio::use_future;

redlock::lease take();

void drop(redlock::client& locks, redlock::lease& held) {
    locks.async_lock("key", {}, use_future);
    locks.async_try_lock("key", {}, use_future);
    locks.async_with_lock(
        "key", {}, [](redlock::lease&) -> boost::asio::awaitable<void> { co_return; }, use_future);
    locks.async_inspect("key", use_future);
    locks.async_break(redlock::key_report(), use_future);
    locks.async_examine(use_future);
    locks.async_check("key", 1, use_future);
    locks.async_close(use_future);
    held.async_unlock(use_future);
    held.async_extend(std::chrono::seconds(5), use_future);
    held.async_wait_lost(use_future);
    take();
}
