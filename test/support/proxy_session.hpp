#pragma once

#include "support/command_parser.hpp"
#include "support/push_filter.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace redlock::test {

/// Which way bytes go through a proxy.
enum class direction : std::size_t { to_server, to_client };

/// What a proxy does to the bytes of all its connections.
struct proxy_faults {
    bool refuse = false;          ///< turn new connections away
    bool fragment = false;        ///< write single bytes
    std::array<bool, 2> frozen{}; ///< by direction: hold bytes until thawed
    std::array<bool, 2> lose{};   ///< by direction: swallow bytes
    std::chrono::milliseconds delay{0};
    push_faults pushes{};

    bool black_hole() const noexcept { return lose[0] && lose[1]; }
};

/// One client's connection through a proxy, with its connection to the server. Lives in the proxy's thread.
class proxy_session : public std::enable_shared_from_this<proxy_session> {
public:
    using tcp = boost::asio::ip::tcp;
    using command_listener = std::function<void(const command_parser::command&)>;

    /// `faults` must outlive the session's work; `on_command` is called before a command is passed on.
    proxy_session(tcp::socket client, const proxy_faults& faults, command_listener on_command);

    /// Connects to the server and passes bytes until either side closes.
    void start(tcp::endpoint server);
    /// Breaks both connections with a TCP reset.
    void reset();
    /// The faults have changed.
    void look_again();

    bool is_open() const noexcept { return client_.is_open(); }
    /// Whether bytes were swallowed: what would follow them makes no sense to the other side.
    bool has_lost_bytes() const noexcept { return lost_[0] || lost_[1]; }

private:
    using chunk = std::array<char, 16'384>;

    boost::asio::awaitable<void> run(tcp::endpoint server);
    boost::asio::awaitable<void> pump(direction way);
    boost::asio::awaitable<void> hold(direction way);
    boost::asio::awaitable<bool> forward(tcp::socket& target, const char* bytes, std::size_t size);
    boost::asio::awaitable<bool> garble(const char* bytes, std::size_t size);
    void announce(const char* bytes, std::size_t size);
    void close();

    tcp::socket client_;
    tcp::socket server_;
    std::array<bool, 2>
        taken_back_{}; ///< by direction: the sender broke the connection while bytes were held
    boost::asio::steady_timer changed_; ///< never expires; cancelled when the faults change
    const proxy_faults& faults_;
    command_listener on_command_;
    command_parser commands_;
    std::optional<push_filter> pushes_;
    std::array<bool, 2> lost_{};
};

} // namespace redlock::test
