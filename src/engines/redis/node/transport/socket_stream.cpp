#include "engines/redis/node/transport/socket_stream.hpp"

#include "engines/redis/node/transport/network_round_trip.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace redlock::node {

void socket_stream::async_connect(const address& to, std::uint32_t attempt, listener told) {
    const error_code failed = find_literal(to);
    if (failed) {
        boost::asio::post(strand_, [failed, told = std::move(told)] { told->on_connected(failed); });
    } else if (!endpoints_.empty()) {
        connect_in_turn(std::move(told));
    } else {
        resolver_.async_resolve(
            to.host, std::to_string(to.port),
            [this, attempt, told = std::move(told)](error_code ec, const results& found) mutable {
                if (!ec && closed_) ec = boost::asio::error::operation_aborted;
                if (!ec && found.empty()) ec = boost::asio::error::host_not_found;
                if (ec) return told->on_connected(ec);
                choose_order(found, attempt);
                connect_in_turn(std::move(told));
            });
    }
}

void socket_stream::connect_in_turn(listener told) {
    boost::asio::async_connect(socket_, endpoints_,
                               [this, told = std::move(told)](error_code ec, const generic::endpoint&) {
                                   if (!ec && closed_) ec = boost::asio::error::operation_aborted;
                                   if (!ec) ec = prepare_socket();
                                   told->on_connected(ec);
                               });
}

void socket_stream::async_read_some(std::span<char> space, listener told) {
    if (made_in_.is_of_parent())
        return boost::asio::post(
            strand_, [told = std::move(told)] { told->on_read(boost::asio::error::bad_descriptor, 0); });
    socket_.async_read_some(boost::asio::buffer(space.data(), space.size()),
                            [told = std::move(told)](error_code ec, std::size_t n) { told->on_read(ec, n); });
}

void socket_stream::async_wait_writable(listener told) {
    socket_.async_wait(boost::asio::socket_base::wait_write,
                       [told = std::move(told)](error_code ec) { told->on_writable(ec); });
}

stream::error_code socket_stream::find_literal(const address& to) {
    if (to.via == address::transport::unix_socket) {
        try {
            endpoints_.emplace_back(boost::asio::local::stream_protocol::endpoint(to.path));
        } catch (const boost::system::system_error& e) {
            return e.code(); // the path is too long
        }
        return {};
    }
    error_code is_name;
    const auto ip = boost::asio::ip::make_address(to.host, is_name);
    if (!is_name) endpoints_.emplace_back(tcp::endpoint(ip, to.port));
    return {};
}

void socket_stream::choose_order(const results& found, std::uint32_t attempt) {
    endpoints_.clear();
    for (const auto& entry : found)
        endpoints_.emplace_back(entry.endpoint());
    const auto first = static_cast<std::ptrdiff_t>(attempt % endpoints_.size());
    std::rotate(endpoints_.begin(), endpoints_.begin() + first, endpoints_.end());
}

stream::error_code socket_stream::prepare_socket() {
    error_code ec;
    socket_.non_blocking(true, ec);
    const auto family = endpoints_.front().protocol().family();
    const bool local = family == boost::asio::local::stream_protocol().family();
    if (!ec && !local) socket_.set_option(tcp::no_delay(true), ec);
    if (ec) return ec;
    try {
        unshared_.set(socket_.native_handle());
    } catch (const std::system_error& e) {
        return {e.code().value(), boost::system::generic_category()};
    }
    return {};
}

std::size_t socket_stream::write_some(std::string_view bytes, error_code& ec) noexcept {
    if (made_in_.is_of_parent()) {
        ec = boost::asio::error::bad_descriptor;
        return 0;
    }
    return socket_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), ec);
}

void socket_stream::interrupt() noexcept {
    error_code ignored;
    socket_.cancel(ignored);
}

bool socket_stream::unread() const noexcept {
    error_code ec;
    return socket_.available(ec) > 0 && !ec;
}

void socket_stream::wake_at(std::size_t bytes) noexcept {
    if (made_in_.is_of_parent()) return;
    error_code ignored; // then it wakes at what it woke at before
    socket_.set_option(boost::asio::socket_base::receive_low_watermark(static_cast<int>(bytes)), ignored);
}

void socket_stream::acknowledge() noexcept {
    if (made_in_.is_of_parent()) return;
    // An even number: the one that is owed goes now, later ones with what is written (Linux,
    // `tcp_sock_set_quickack`).
    constexpr int once = 2;
    // A socket that is not of TCP refuses, and has nothing to acknowledge.
    ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_QUICKACK, &once, sizeof once);
}

std::optional<std::chrono::nanoseconds> socket_stream::least_round_trip() const noexcept {
    // Asio has it only from sockets that may change by that.
    return network_round_trip(const_cast<decltype(socket_)&>(socket_).native_handle());
}

void socket_stream::drop_unsent() noexcept {
    if (made_in_.is_of_parent()) return;
    error_code ignored; // a socket that was never opened has sent nothing
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
}

// To close it would leave it in the child's epoll, for the parent's descriptor keeps the connection alive.
void socket_stream::leave() noexcept {
    closed_ = true;
    resolver_.cancel();
    unshared_.reset();
    if (!socket_.is_open()) return;
    error_code failed;
    const int descriptor = socket_.release(failed);
    if (!failed) ::close(descriptor);
}

void socket_stream::close() noexcept {
    closed_ = true;
    unshared_.reset();
    error_code ignored; // the descriptor is gone either way
    resolver_.cancel();
    socket_.close(ignored);
}

} // namespace redlock::node
