#include "support/scripted_peer.hpp"

#include "support/listen.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <random>

namespace redlock::test {

namespace asio = boost::asio;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

} // namespace

scripted_peer::scripted_peer(peer_script script)
    : script_(std::move(script)),
      acceptor_(listen_on_loopback(context_)),
      port_(acceptor_.local_endpoint().port()) {
    asio::co_spawn(context_, accept_clients(), asio::detached);
    thread_.emplace(context_);
}

scripted_peer::~scripted_peer() = default;

std::string scripted_peer::uri() const { return "redis://127.0.0.1:" + std::to_string(port_); }

asio::awaitable<void> scripted_peer::accept_clients() {
    for (;;) {
        auto [failure, client] = co_await acceptor_.async_accept(as_result);
        if (failure) co_return;
        ++accepted_;
        asio::co_spawn(context_, serve(std::move(client)), asio::detached);
    }
}

asio::awaitable<void> scripted_peer::serve(tcp::socket client) {
    std::size_t allowance = script_.close_after;
    if (!co_await send(client, script_.greeting, allowance)) co_return;
    command_parser parser;
    std::string chunk(4096, '\0');
    for (;;) {
        const auto [failure, size] = co_await client.async_read_some(asio::buffer(chunk), as_result);
        if (failure) co_return;
        parser.feed({chunk.data(), size});
        for (command_parser::command found; parser.next(found);) {
            ++commands_;
            if (!script_.answer) continue;
            std::string bytes = script_.answer(found);
            if (!co_await send(client, std::move(bytes), allowance)) co_return;
        }
        while (!script_.endless.empty()) {
            if (!co_await send(client, script_.endless, allowance)) co_return;
        }
    }
}

asio::awaitable<bool> scripted_peer::send(tcp::socket& client, std::string bytes, std::size_t& allowance) {
    bytes.resize(std::min(bytes.size(), allowance));
    const auto [failure, written] = co_await asio::async_write(client, asio::buffer(bytes), as_result);
    sent_ += written;
    allowance -= written;
    co_return !failure && allowance > 0;
}

peer_script always_answers(std::string bytes) {
    peer_script script;
    script.answer = [bytes = std::move(bytes)](const command_parser::command&) { return bytes; };
    return script;
}

peer_script http_server() {
    const std::string response = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    peer_script script = always_answers(response);
    script.close_after = response.size();
    return script;
}

peer_script random_bytes(std::uint32_t seed, std::size_t size) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<int> byte(0, 255);
    std::string bytes(size, '\0');
    for (char& b : bytes)
        b = static_cast<char>(byte(generator));
    return always_answers(std::move(bytes));
}

peer_script endless_line() {
    peer_script script;
    script.greeting = "+";
    script.endless = std::string(16'384, 'a');
    return script;
}

peer_script huge_bulk() { return always_answers("$2147483648\r\n"); }

} // namespace redlock::test
