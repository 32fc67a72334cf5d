#pragma once

#include "support/command_parser.hpp"
#include "support/loop_thread.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace redlock::test {

/// What a scripted peer does on each of its connections. The functions are called in the peer's thread.
struct peer_script {
    /// Sent when a client connects.
    std::string greeting{};
    /// Bytes to send for a command; empty for no answer. Without it no command is answered.
    std::function<std::string(const command_parser::command&)> answer{};
    /// Sent over and over after the first bytes of a client, for as long as it reads.
    std::string endless{};
    /// Close the connection after so many bytes were sent.
    std::size_t close_after = std::numeric_limits<std::size_t>::max();
};

/// Answers every command with the same bytes.
peer_script always_answers(std::string bytes);
/// A web server that complains of a bad request, then closes.
peer_script http_server();
/// Answers with `size` bytes from a generator seeded with `seed`.
peer_script random_bytes(std::uint32_t seed, std::size_t size);
/// A simple string that never ends.
peer_script endless_line();
/// Announces a bulk string of 2 GiB.
peer_script huge_bulk();

/// A server on 127.0.0.1 that says what its script says, in a thread of its own; for replies that no Redis
/// would give.
class scripted_peer {
public:
    explicit scripted_peer(peer_script script);
    scripted_peer(const scripted_peer&) = delete;
    scripted_peer& operator=(const scripted_peer&) = delete;
    ~scripted_peer();

    std::uint16_t port() const noexcept { return port_; }
    std::string uri() const;

    /// How many connections were accepted, commands received and bytes sent so far. Thread-safe.
    std::size_t accepted_connections() const noexcept { return accepted_; }
    std::size_t commands() const noexcept { return commands_; }
    std::size_t bytes_sent() const noexcept { return sent_; }

private:
    using tcp = boost::asio::ip::tcp;

    boost::asio::awaitable<void> accept_clients();
    boost::asio::awaitable<void> serve(tcp::socket client);
    boost::asio::awaitable<bool> send(tcp::socket& client, std::string bytes, std::size_t& allowance);

    peer_script script_;
    boost::asio::io_context context_{1};
    tcp::acceptor acceptor_;
    std::uint16_t port_ = 0;
    std::atomic<std::size_t> accepted_ = 0;
    std::atomic<std::size_t> commands_ = 0;
    std::atomic<std::size_t> sent_ = 0;
    std::optional<loop_thread> thread_;
};

} // namespace redlock::test
