#pragma once

#include "support/loop_thread.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::test {

/// Kinds of frames of HTTP/2.
enum class frame_kind : std::uint8_t {
    data = 0,
    headers = 1,
    reset = 3,
    settings = 4,
    push = 5,
    ping = 6,
    goaway = 7,
    window = 8,
    continuation = 9
};

inline constexpr std::uint8_t ends_stream = 1;
inline constexpr std::uint8_t is_acknowledged = 1;
inline constexpr std::uint8_t ends_headers = 4;

/// One frame, whatever it says.
std::string frame(frame_kind what, std::uint8_t flags, std::uint32_t stream, std::string_view payload);
/// In four bytes.
std::string number(std::uint32_t n);
/// A header field that is not put into any table.
std::string field(std::string_view name, std::string_view value);
/// A message of gRPC, with a length that may be another than its own.
std::string message(std::string_view content, std::uint32_t length, bool compressed = false);
std::string message(std::string_view content);
/// The fields before an answer, and behind one.
std::string head(std::uint32_t stream);
std::string trailers(std::uint32_t stream, std::string_view status, std::string_view words = {});
/// A whole answer.
std::string whole_answer(std::uint32_t stream, std::string_view content);
inline std::string settings(std::string_view payload = {}) {
    return frame(frame_kind::settings, 0, 0, payload);
}

/// A server on 127.0.0.1 that says what its script says over HTTP/2, in a thread of its own.
class http2_peer {
public:
    struct script {
        std::string greeting = settings() + frame(frame_kind::settings, is_acknowledged, 0, {});
        /// What it says when it has all of a request; empty for nothing. In the peer's thread.
        std::function<std::string(std::uint32_t stream)> answer{};
        bool closes = false; ///< once it has answered
    };
    explicit http2_peer(script s);
    http2_peer(const http2_peer&) = delete;
    http2_peer& operator=(const http2_peer&) = delete;
    ~http2_peer();

    std::uint16_t port() const noexcept { return acceptor_.local_endpoint().port(); }
    /// How many frames of a kind have come, and how many of them are acknowledgements.
    std::size_t heard(frame_kind what) const noexcept { return heard_[static_cast<std::size_t>(what)]; }
    std::size_t acknowledgements(frame_kind what) const noexcept {
        return acknowledged_[static_cast<std::size_t>(what)];
    }
    std::size_t connections() const noexcept { return connections_; }

private:
    using tcp = boost::asio::ip::tcp;

    boost::asio::awaitable<void> accept_clients();
    boost::asio::awaitable<void> serve(tcp::socket client);
    /// Takes whole frames off, and says what is to be said to them.
    std::string take_frames(std::string& received);

    const script script_;
    boost::asio::io_context context_{1};
    tcp::acceptor acceptor_;
    std::array<std::atomic<std::size_t>, 10> heard_{};
    std::array<std::atomic<std::size_t>, 10> acknowledged_{};
    std::atomic<std::size_t> connections_ = 0;
    std::optional<loop_thread> thread_;
};

} // namespace redlock::test
