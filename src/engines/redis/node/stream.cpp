#include "engines/redis/node/stream.hpp"

#include "engines/redis/node/network_round_trip.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace redlock::node {

stream::error_code stream::find_literal(const address& to) {
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

void stream::choose_order(const results& found, std::uint32_t attempt) {
    endpoints_.clear();
    for (const auto& entry : found)
        endpoints_.emplace_back(entry.endpoint());
    const auto first = static_cast<std::ptrdiff_t>(attempt % endpoints_.size());
    std::rotate(endpoints_.begin(), endpoints_.begin() + first, endpoints_.end());
}

stream::error_code stream::prepare_socket() {
    error_code ec;
    socket_.non_blocking(true, ec);
    const auto family = endpoints_.front().protocol().family();
    const bool local = family == boost::asio::local::stream_protocol().family();
    if (!ec && !local) socket_.set_option(tcp::no_delay(true), ec);
    return ec;
}

std::size_t stream::write_some(std::string_view bytes, error_code& ec) noexcept {
    return socket_.write_some(boost::asio::buffer(bytes.data(), bytes.size()), ec);
}

bool stream::unread() const noexcept {
    error_code ec;
    return socket_.available(ec) > 0 && !ec;
}

void stream::wake_at(std::size_t bytes) noexcept {
    error_code ignored; // then it wakes at what it woke at before
    socket_.set_option(boost::asio::socket_base::receive_low_watermark(static_cast<int>(bytes)), ignored);
}

void stream::acknowledge() noexcept {
    // An even number: the one that is owed goes now, later ones with what is written (Linux,
    // `tcp_sock_set_quickack`).
    constexpr int once = 2;
    // A socket that is not of TCP refuses, and has nothing to acknowledge.
    ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_QUICKACK, &once, sizeof once);
}

std::optional<std::chrono::nanoseconds> stream::least_round_trip() const noexcept {
    // Asio has it only from sockets that may change by that.
    return network_round_trip(const_cast<decltype(socket_)&>(socket_).native_handle());
}

void stream::drop_unsent() noexcept {
    error_code ignored; // a socket that was never opened has sent nothing
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
}

void stream::close() noexcept {
    closed_ = true;
    error_code ignored; // the descriptor is gone either way
    resolver_.cancel();
    socket_.close(ignored);
}

} // namespace redlock::node
