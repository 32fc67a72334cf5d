#pragma once

#include "engines/redis/node/address.hpp"
#include "session/virtual_wire.hpp"
#include "session/virtual_world.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace redlock::node {

/// Takes the place of the stream of `src/engines/redis/node/stream.hpp`, with the same members, where the
/// session is compiled for a virtual network: the other end is in the test's hand.
class stream {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;
    using error_code = boost::system::error_code;

    explicit stream(const strand& on) : wire_(test::virtual_world::of(on).connect_new(on)) {}

    template <class Handler>
    void async_connect(const address&, std::uint32_t, Handler handler) {
        wire_->connect(std::move(handler));
    }
    template <class Handler>
    void async_read_some(std::span<char> space, Handler handler) {
        wire_->read(space, std::move(handler));
    }
    template <class Handler>
    void async_wait_writable(Handler handler) {
        wire_->wait_writable(std::move(handler));
    }
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept {
        return wire_->write(bytes, ec);
    }
    bool unread() const noexcept { return wire_->unread(); }
    void wake_at(std::size_t bytes) noexcept { wire_->wake_at(bytes); }
    void acknowledge() noexcept { wire_->acknowledge(); }
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept {
        return std::chrono::nanoseconds(0);
    }
    void drop_unsent() noexcept {} // nothing is ever on its way here
    void close() noexcept { wire_->close(); }

private:
    std::shared_ptr<test::virtual_wire> wire_;
};

} // namespace redlock::node
