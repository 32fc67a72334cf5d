#include "client/client_registry.hpp"

#include "client/client_core.hpp"

#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

#include <utility>

namespace redlock::lock {

boost::asio::execution_context::id client_registry::id;

client_registry& client_registry::of(const boost::asio::any_io_executor& executor) {
    return boost::asio::use_service<client_registry>(
        boost::asio::query(executor, boost::asio::execution::context));
}

void client_registry::add(const std::shared_ptr<client_core>& core) {
    const std::lock_guard guard(mutex_);
    cores_.emplace(core.get(), core);
}

void client_registry::remove(const client_core& core) noexcept {
    const std::lock_guard guard(mutex_);
    cores_.erase(&core);
}

// Behind the reactor, which is older than any client and has an epoll of its own by now. And before anything
// runs that would read what the nodes send to the parent.
void client_registry::notify_fork(boost::asio::execution_context::fork_event event) {
    if (event != boost::asio::execution_context::fork_child) return;
    std::unique_lock guard(mutex_);
    const auto cores = cores_;
    guard.unlock();
    for (const auto& entry : cores)
        if (const auto core = entry.second.lock()) core->leave_to_parent();
}

void client_registry::shutdown() {
    std::unique_lock guard(mutex_);
    const auto cores = std::exchange(cores_, {});
    guard.unlock();
    for (const auto& entry : cores)
        if (const auto core = entry.second.lock()) core->abandon();
}

} // namespace redlock::lock
