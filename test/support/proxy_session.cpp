#include "support/proxy_session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <sys/socket.h>

namespace redlock::test {

namespace asio = boost::asio;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

bool was_reset(asio::ip::tcp::socket& socket) {
    if (!socket.is_open()) return false;
    int pending = 0;
    socklen_t size = sizeof pending;
    return ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_ERROR, &pending, &size) != 0 || pending != 0;
}

} // namespace

proxy_session::proxy_session(tcp::socket client, const proxy_faults& faults, command_listener on_command)
    : client_(std::move(client)),
      server_(client_.get_executor()),
      changed_(client_.get_executor(), asio::steady_timer::time_point::max()),
      faults_(faults),
      on_command_(std::move(on_command)) {}

void proxy_session::start(tcp::endpoint server) {
    auto work = [self = shared_from_this(), server] { return self->run(server); };
    asio::co_spawn(client_.get_executor(), std::move(work), asio::detached);
}

asio::awaitable<void> proxy_session::run(tcp::endpoint server) {
    boost::system::error_code ignored;
    client_.set_option(tcp::no_delay(true), ignored);
    // A black hole accepts whether there is a server behind it or not.
    if (!faults_.black_hole()) {
        const auto [failure] = co_await server_.async_connect(server, as_result);
        if (failure) {
            reset();
            co_return;
        }
        server_.set_option(tcp::no_delay(true), ignored);
        auto backward = [self = shared_from_this()] { return self->pump(direction::to_client); };
        asio::co_spawn(client_.get_executor(), std::move(backward), asio::detached);
    }
    co_await pump(direction::to_server);
}

asio::awaitable<void> proxy_session::pump(direction way) {
    tcp::socket& source = way == direction::to_server ? client_ : server_;
    tcp::socket& target = way == direction::to_server ? server_ : client_;
    const auto index = static_cast<std::size_t>(way);
    const auto bytes = std::make_unique<chunk>();
    asio::steady_timer delay(client_.get_executor());
    for (;;) {
        const auto [failure, size] = co_await source.async_read_some(asio::buffer(*bytes), as_result);
        if (failure) break;
        if (way == direction::to_server) announce(bytes->data(), size);
        if (faults_.delay.count() > 0) {
            delay.expires_after(faults_.delay);
            co_await delay.async_wait(as_result);
        }
        co_await hold(way);
        if (taken_back_[index]) break;
        // Once bytes are missing from a stream, nothing that follows may arrive.
        lost_[index] = lost_[index] || faults_.lose[index];
        if (lost_[index]) continue;
        const bool garbled = way == direction::to_client && (faults_.pushes.any() || pushes_);
        // Not as one expression: g++ 12 destroys the awaitable that a conditional chose twice.
        bool arrived = false;
        if (garbled)
            arrived = co_await garble(bytes->data(), size);
        else
            arrived = co_await forward(target, bytes->data(), size);
        if (!arrived) break;
    }
    close();
}

// A sender that has broken the connection while its bytes were held has taken back what had not arrived. Seen
// before anything moves again: one that has merely closed breaks it too, as soon as it is sent a reply.
void proxy_session::look_again() {
    for (const direction way : {direction::to_server, direction::to_client}) {
        const auto index = static_cast<std::size_t>(way);
        tcp::socket& source = way == direction::to_server ? client_ : server_;
        taken_back_[index] = taken_back_[index] || was_reset(source);
    }
    changed_.cancel();
}

asio::awaitable<void> proxy_session::hold(direction way) {
    while (faults_.frozen[static_cast<std::size_t>(way)] && client_.is_open())
        co_await changed_.async_wait(as_result);
}

asio::awaitable<bool> proxy_session::forward(tcp::socket& target, const char* bytes, std::size_t size) {
    const std::size_t step = faults_.fragment ? 1 : size;
    for (std::size_t sent = 0; sent < size; sent += step) {
        const auto piece = asio::buffer(bytes + sent, step);
        const auto [failure, written] = co_await asio::async_write(target, piece, as_result);
        if (failure) co_return false;
    }
    co_return true;
}

// From the first fault on: what was cut may begin in the middle of a value only when the connection is a new
// one.
asio::awaitable<bool> proxy_session::garble(const char* bytes, std::size_t size) {
    if (!pushes_) pushes_.emplace(std::random_device{}());
    const std::string left = pushes_->pass({bytes, size}, faults_.pushes);
    co_return left.empty() || co_await forward(client_, left.data(), left.size());
}

void proxy_session::announce(const char* bytes, std::size_t size) {
    commands_.feed({bytes, size});
    for (command_parser::command found; commands_.next(found);)
        on_command_(found);
}

void proxy_session::reset() {
    boost::system::error_code ignored;
    const asio::socket_base::linger at_once(true, 0);
    client_.set_option(at_once, ignored);
    server_.set_option(at_once, ignored);
    close();
}

void proxy_session::close() {
    boost::system::error_code ignored;
    client_.close(ignored);
    server_.close(ignored);
    look_again();
}

} // namespace redlock::test
