#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace redlock::lock {

class client_core;

/// The clients that live on one execution context. When the context is destroyed, it makes them let go of the
/// handlers they still have: a handler may own the very client that would have called it, and neither would
/// go by itself. When it is told that it is in a forked child, the clients leave their connections to the
/// parent.
class client_registry final : public boost::asio::execution_context::service {
public:
    using key_type = client_registry;
    static boost::asio::execution_context::id id;

    explicit client_registry(boost::asio::execution_context& context) : service(context) {}

    static client_registry& of(const boost::asio::any_io_executor& executor);

    void add(const std::shared_ptr<client_core>& core);
    void remove(const client_core& core) noexcept;

    /// In a forked child: tells the context of that, if nobody has done so.
    void tell_of_fork() { context().notify_fork(boost::asio::execution_context::fork_child); }

private:
    void shutdown() override;
    void notify_fork(boost::asio::execution_context::fork_event event) override;

    std::mutex mutex_;
    std::map<const client_core*, std::weak_ptr<client_core>> cores_;
};

} // namespace redlock::lock
