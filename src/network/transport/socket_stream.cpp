#include "network/transport/socket_stream.hpp"

#include "network/transport/network_round_trip.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <new>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace redlock::network {

void socket_stream::async_connect(const destination& to, std::uint32_t attempt, listener told) {
    error_code failed;
    endpoints literal = find_literal(to, failed);
    if (failed) {
        boost::asio::post(strand_, [failed, told = std::move(told)] { told->on_connected(failed); });
    } else if (!literal.empty()) {
        connect(std::move(literal), std::move(told));
    } else {
        resolve(to, attempt, std::move(told));
    }
}

// Beginning with another address at each attempt.
void socket_stream::resolve(const destination& to, std::uint32_t attempt, listener told) {
    name_ = to.host;
    const auto go_on = [this, port = to.port, attempt,
                        told = std::move(told)](error_code ec, const name_lookups::addresses& found) {
        resolving_.reset();
        if (!ec && closed_) ec = boost::asio::error::operation_aborted;
        if (ec) return told->on_connected(ec);
        endpoints all;
        for (const auto& ip : found)
            all.emplace_back(tcp::endpoint(ip, port));
        std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(attempt % all.size()), all.end());
        connect(std::move(all), told);
    };
    resolving_ = name_lookups::of(strand_).look_up(to.host, strand_, go_on);
}

void socket_stream::connect(endpoints to, listener told) {
    const auto race = std::make_shared<connection_race>(strand_, std::move(to));
    race_ = race;
    race->start([this, told = std::move(told)](error_code ec) {
        if (!ec && closed_) ec = boost::asio::error::operation_aborted;
        if (!ec) ec = take_winner();
        told->on_connected(ec);
    });
}

stream::error_code socket_stream::take_winner() {
    const auto race = race_.lock(); // it tells, so it is there
    race_.reset();
    socket_ = race->take_winner();
    return prepare_socket(race->family());
}

const obstacle* socket_stream::met() const noexcept try {
    if (name_.empty() || closed_) return nullptr;
    if (resolving_) {
        met_ = {errc::node_unavailable, fmt::format("the system's resolver has not said where {} is", name_)};
        return &met_;
    }
    const auto race = race_.lock();
    if (!race) return nullptr;
    met_ = {errc::node_unavailable, fmt::format("cannot be reached: {}", race->failures())};
    return &met_;
} catch (const std::bad_alloc&) {
    return nullptr;
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

socket_stream::endpoints socket_stream::find_literal(const destination& to, error_code& ec) {
    if (to.is_unix_socket()) {
        try {
            return {boost::asio::local::stream_protocol::endpoint(to.path)};
        } catch (const boost::system::system_error& e) {
            ec = e.code(); // the path is too long
            return {};
        }
    }
    error_code is_name;
    const auto ip = boost::asio::ip::make_address(to.host, is_name);
    if (is_name) return {};
    return {tcp::endpoint(ip, to.port)};
}

stream::error_code socket_stream::prepare_socket(int family) {
    error_code ec;
    socket_.non_blocking(true, ec);
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
    if (resolving_) name_lookups::cancel(*resolving_);
    if (const auto race = race_.lock()) race->leave();
    unshared_.reset();
    if (!socket_.is_open()) return;
    error_code failed;
    const int descriptor = socket_.release(failed);
    if (!failed) ::close(descriptor);
}

void socket_stream::close() noexcept {
    closed_ = true;
    unshared_.reset();
    if (resolving_) name_lookups::cancel(*resolving_);
    if (const auto race = race_.lock()) race->stop();
    error_code ignored; // the descriptor is gone either way
    socket_.close(ignored);
}

} // namespace redlock::network
