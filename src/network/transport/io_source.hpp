#pragma once

#include "network/transport/stream.hpp"
#include "network/transport/wake_timer.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <memory>

namespace redlock::network {

/// What nodes reach their servers through and are woken by. Tests hand in a network and a time of their own.
class io_source {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    /// For one connection.
    virtual std::shared_ptr<stream> make_stream(const strand& on) = 0;
    virtual std::unique_ptr<wake_timer> make_timer(const strand& on) = 0;

protected:
    ~io_source() = default;
};

/// The sockets of the system, TCP and Unix, and the timers of Asio. Thread-safe.
io_source& real_io() noexcept;

} // namespace redlock::network
