#pragma once

#include "engines/redis/node/address.hpp"
#include "sim/socket.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::node {

/// Stands in for src/engines/redis/node/stream.hpp: the same members, on a simulated network. The nodes of
/// the simulation are the real ones but for what lies below this class and `wake_timer`.
class stream {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;
    using error_code = boost::system::error_code;

    explicit stream(const strand& on)
        : socket_(
              std::make_shared<sim::socket>(on.get_inner_executor().template target<sim::executor>()->at())) {
    }

    /// The host is the number of a simulated server.
    template <class Handler>
    void async_connect(const address& to, std::uint32_t, Handler handler) {
        socket_->connect(static_cast<std::uint32_t>(std::stoul(to.host.substr(1))), std::move(handler));
    }
    template <class Handler>
    void async_read_some(std::span<char> space, Handler handler) {
        socket_->read(space, std::move(handler));
    }
    template <class Handler>
    void async_wait_writable(Handler handler) {
        socket_->wait_writable(std::move(handler));
    }
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept {
        return socket_->write(bytes, ec);
    }
    bool unread() const noexcept { return socket_->unread(); }
    void wake_at(std::size_t bytes) noexcept { socket_->wake_at(bytes); }
    void acknowledge() noexcept {}
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept {
        return std::chrono::nanoseconds(0);
    }
    void drop_unsent() noexcept { socket_->drop_unsent(); }
    void close() noexcept { socket_->close(); }

private:
    std::shared_ptr<sim::socket> socket_;
};

} // namespace redlock::node
