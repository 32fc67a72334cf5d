#include "etcd_line/http2_peer.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace redlock::test {

namespace asio = boost::asio;

namespace {

constexpr std::size_t preface_size = 24;
constexpr std::size_t frame_head = 9;

std::uint32_t number_in(std::string_view bytes) {
    std::uint32_t n = 0;
    for (const char c : bytes)
        n = n << 8 | static_cast<std::uint8_t>(c);
    return n;
}

// RFC 7541, 5.1: of a string that is not compressed.
std::string with_length(std::string_view text) {
    std::string all;
    if (text.size() < 127) {
        all.push_back(static_cast<char>(text.size()));
    } else {
        all.push_back(127);
        std::size_t rest = text.size() - 127;
        for (; rest >= 128; rest /= 128)
            all.push_back(static_cast<char>(rest % 128 + 128));
        all.push_back(static_cast<char>(rest));
    }
    return all.append(text);
}

} // namespace

std::string number(std::uint32_t n) {
    std::string bytes;
    for (unsigned place = 4; place-- > 0;)
        bytes.push_back(static_cast<char>(n >> (8 * place)));
    return bytes;
}

std::string frame(frame_kind what, std::uint8_t flags, std::uint32_t stream, std::string_view payload) {
    std::string all = number(static_cast<std::uint32_t>(payload.size())).substr(1);
    all.push_back(static_cast<char>(what));
    all.push_back(static_cast<char>(flags));
    return all.append(number(stream)).append(payload);
}

std::string field(std::string_view name, std::string_view value) {
    return std::string(1, '\0') + with_length(name) + with_length(value);
}

std::string message(std::string_view content, std::uint32_t length, bool compressed) {
    return std::string(1, compressed ? '\1' : '\0').append(number(length)).append(content);
}

std::string message(std::string_view content) {
    return message(content, static_cast<std::uint32_t>(content.size()));
}

std::string head(std::uint32_t stream) {
    return frame(frame_kind::headers, ends_headers, stream,
                 field(":status", "200") + field("content-type", "application/grpc"));
}

std::string trailers(std::uint32_t stream, std::string_view status, std::string_view words) {
    return frame(frame_kind::headers, ends_headers | ends_stream, stream,
                 field("grpc-status", status) + field("grpc-message", words));
}

std::string whole_answer(std::uint32_t stream, std::string_view content) {
    return head(stream) + frame(frame_kind::data, 0, stream, message(content)) + trailers(stream, "0");
}

http2_peer::http2_peer(script s)
    : script_(std::move(s)), acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    asio::co_spawn(context_, accept_clients(), asio::detached);
    thread_.emplace(context_);
}

http2_peer::~http2_peer() = default;

asio::awaitable<void> http2_peer::accept_clients() {
    for (;;) {
        tcp::socket client = co_await acceptor_.async_accept(asio::use_awaitable);
        ++connections_;
        asio::co_spawn(context_, serve(std::move(client)), asio::detached);
    }
}

asio::awaitable<void> http2_peer::serve(tcp::socket client) {
    boost::system::error_code ec;
    co_await asio::async_write(client, asio::buffer(script_.greeting),
                               asio::redirect_error(asio::use_awaitable, ec));
    std::string received;
    std::array<char, 16'384> room;
    bool prefaced = false;
    while (!ec) {
        const std::size_t n = co_await client.async_read_some(asio::buffer(room),
                                                              asio::redirect_error(asio::use_awaitable, ec));
        received.append(room.data(), n);
        if (!prefaced && received.size() < preface_size) continue;
        if (!std::exchange(prefaced, true)) received.erase(0, preface_size);
        const std::string said = take_frames(received);
        if (said.empty()) continue;
        co_await asio::async_write(client, asio::buffer(said), asio::redirect_error(asio::use_awaitable, ec));
        if (script_.closes) co_return;
    }
}

std::string http2_peer::take_frames(std::string& received) {
    std::string said;
    while (received.size() >= frame_head) {
        const std::size_t size = frame_head + number_in(std::string_view(received).substr(0, 3));
        if (received.size() < size) break;
        const auto kind = static_cast<std::uint8_t>(received[3]);
        const auto flags = static_cast<std::uint8_t>(received[4]);
        const std::uint32_t stream = number_in(std::string_view(received).substr(5, 4));
        received.erase(0, size);
        if (kind >= heard_.size()) continue;
        ++heard_[kind];
        const bool control = kind == static_cast<std::uint8_t>(frame_kind::settings) ||
                             kind == static_cast<std::uint8_t>(frame_kind::ping);
        if (control && (flags & is_acknowledged) != 0) ++acknowledged_[kind];
        const bool request =
            kind == static_cast<std::uint8_t>(frame_kind::data) && (flags & ends_stream) != 0;
        if (request && script_.answer) said += script_.answer(stream);
    }
    return said;
}

} // namespace redlock::test
