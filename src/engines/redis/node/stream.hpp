#pragma once

#include "engines/redis/node/address.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::node {

/// The bytes between this process and one server: the one place that knows what they travel through. TCP and
/// Unix sockets share one socket type; an encrypted stream would stand behind the same members.
///
/// Handlers run on the strand, never from inside the initiating member, and must keep the stream alive. One
/// connect and one read at a time; a wait for writability may be outstanding beside them.
class stream {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;
    using error_code = boost::system::error_code;

    explicit stream(const strand& on) : strand_(on), resolver_(on), socket_(on) {}

    /// Resolves the host if it is a name and tries its addresses in turn, beginning with another one at each
    /// `attempt`: an address that swallows everything must not keep the others from being tried. Handler:
    /// void(error_code).
    template <class Handler>
    void async_connect(const address& to, std::uint32_t attempt, Handler handler) {
        error_code failed = find_literal(to);
        if (failed) {
            boost::asio::post(strand_, [failed, handler = std::move(handler)]() mutable { handler(failed); });
        } else if (!endpoints_.empty()) {
            connect_in_turn(std::move(handler));
        } else {
            resolver_.async_resolve(
                to.host, std::to_string(to.port),
                [this, attempt, handler = std::move(handler)](error_code ec, const results& found) mutable {
                    if (!ec && closed_) ec = boost::asio::error::operation_aborted;
                    if (!ec && found.empty()) ec = boost::asio::error::host_not_found;
                    if (ec) return handler(ec);
                    choose_order(found, attempt);
                    connect_in_turn(std::move(handler));
                });
        }
    }

    /// Handler: void(error_code, std::size_t). `space` must stay where it is until the handler is called.
    template <class Handler>
    void async_read_some(std::span<char> space, Handler handler) {
        socket_.async_read_some(boost::asio::buffer(space.data(), space.size()), std::move(handler));
    }

    /// Handler: void(error_code), when `write_some` may take more.
    template <class Handler>
    void async_wait_writable(Handler handler) {
        socket_.async_wait(boost::asio::socket_base::wait_write, std::move(handler));
    }

    /// Hands over as much as the socket takes at once, without waiting: `would_block` when that is nothing.
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept;

    /// Whether bytes have arrived that nobody has read yet.
    bool unread() const noexcept;

    /// Wakes nobody while fewer bytes than that are unread (`SO_RCVLOWAT`), except at the end of the
    /// connection. A lower number than before wakes at once when so many are.
    void wake_at(std::size_t bytes) noexcept;

    /// Tells the server's system now what has been read (`TCP_QUICKACK`), not when more is read: a system
    /// that owes an acknowledgement sends it before it hands over the next segment.
    void acknowledge() noexcept;

    /// Between the two systems, where that is known.
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept;

    /// What was written and is still on its way goes no further when the connection is closed. Otherwise the
    /// system goes on sending it, for minutes if it must.
    void drop_unsent() noexcept;

    /// Ends the connection. What is outstanding completes with `operation_aborted` (a name resolution only
    /// when the system's resolver returns).
    void close() noexcept;

private:
    using generic = boost::asio::generic::stream_protocol;
    using tcp = boost::asio::ip::tcp;
    using results = tcp::resolver::results_type;

    /// Sets the endpoint of a Unix socket or a numeric address; a name leaves none.
    error_code find_literal(const address& to);
    void choose_order(const results& found, std::uint32_t attempt);
    /// Makes a connected socket ready for small pipelined writes.
    error_code prepare_socket();

    template <class Handler>
    void connect_in_turn(Handler handler) {
        boost::asio::async_connect(
            socket_, endpoints_,
            [this, handler = std::move(handler)](error_code ec, const generic::endpoint&) mutable {
                if (!ec && closed_) ec = boost::asio::error::operation_aborted;
                if (!ec) ec = prepare_socket();
                handler(ec);
            });
    }

    strand strand_;
    boost::asio::ip::basic_resolver<tcp, strand> resolver_;
    boost::asio::basic_stream_socket<generic, strand> socket_;
    std::vector<generic::endpoint> endpoints_;
    bool closed_ = false;
};

} // namespace redlock::node
