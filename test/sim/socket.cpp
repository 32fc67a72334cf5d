#include "sim/socket.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace redlock::sim {

namespace error = boost::asio::error;

socket::~socket() { close(); }

void socket::async_connect(const redlock::network::destination& to, std::uint32_t, listener told) {
    const auto server = static_cast<std::uint32_t>(std::stoul(to.host.substr(1)));
    connecting_ = std::move(told);
    link_ = std::make_shared<connection>(*at_.network, at_.client, server);
    link_->open(*this);
}

void socket::connected(error_code ec) {
    if (!connecting_) return;
    at_.host->post([ec, told = std::exchange(connecting_, {})] { told->on_connected(ec); });
}

void socket::arrived(signal what, std::string bytes) {
    switch (what) {
    case signal::open:
        return;
    case signal::opened:
        return connected({});
    case signal::refused:
        return connected(error::connection_refused);
    case signal::bytes:
        input_ += bytes;
        return offer();
    case signal::end:
    case signal::reset:
        connected(error::connection_reset);
        over_ = what == signal::end ? error_code(error::eof) : error_code(error::connection_reset);
        if (what == signal::reset) input_.clear();
        return offer();
    }
}

void socket::async_read_some(std::span<char> space, listener told) {
    space_ = space;
    reading_ = std::move(told);
    offer();
}

void socket::offer() {
    if (!reading_ || (input_.size() < mark_ && !over_)) return;
    at_.host->post([self = shared_from_this()] { self->take(); });
}

void socket::take() {
    if (!reading_ || (input_.empty() && !over_)) return;
    std::size_t n = std::min(space_.size(), input_.size());
    // TCP knows no messages.
    if (n > 1 && at_.network->dice().chance(0.02))
        n = static_cast<std::size_t>(at_.network->dice().between(1, static_cast<int>(n)));
    std::copy_n(input_.begin(), n, space_.begin());
    input_.erase(0, n);
    const auto told = std::exchange(reading_, {});
    told->on_read(n > 0 ? error_code() : over_, n);
}

std::size_t socket::write_some(std::string_view bytes, error_code& ec) noexcept {
    if (over_) {
        ec = over_ == error::eof ? error_code(error::broken_pipe) : over_;
        return 0;
    }
    // Now and then the system has no room left.
    const bool full = at_.network->dice().chance(0.002);
    if (full) {
        ec = error::would_block;
        bytes = bytes.substr(
            0, static_cast<std::size_t>(at_.network->dice().between(0, static_cast<int>(bytes.size() - 1))));
        if (bytes.empty()) return 0;
        ec = {};
    }
    link_->send(to_server, std::string(bytes));
    return bytes.size();
}

void socket::async_wait_writable(listener told) {
    at_.host->post([self = shared_from_this(), told = std::move(told)] {
        told->on_writable(self->link_ ? error_code() : error_code(error::operation_aborted));
    });
}

void socket::close() noexcept {
    if (!link_) return;
    const auto link = std::exchange(link_, nullptr);
    if (drops_unsent_) link->drop_unsent(to_server);
    link->leave(to_server, drops_unsent_);
    if (connecting_)
        at_.host->post(
            [told = std::exchange(connecting_, {})] { told->on_connected(error::operation_aborted); });
    if (reading_)
        at_.host->post([told = std::exchange(reading_, {})] { told->on_read(error::operation_aborted, 0); });
}

} // namespace redlock::sim
