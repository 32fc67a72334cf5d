// A small HTTP server that handles requests for one order one after the other, across any number of such
// servers, and requests for different orders side by side. Try: curl -X POST http://127.0.0.1:PORT/orders/42
// Prometheus finds the client's metrics at /metrics.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using namespace std::chrono_literals;

std::string now() { return std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()); }

asio::awaitable<std::string> handle(redlock::client& locks, std::string order) {
    auto lease = co_await locks.async_lock(order, {.ttl = 5s, .wait = 10s});
    const auto began = now();
    asio::steady_timer payment(co_await asio::this_coro::executor, 30ms);
    co_await payment.async_wait(asio::use_awaitable);
    const auto ended = now();
    co_await lease.async_unlock();
    co_return order + " from " + began + " to " + ended + '\n';
}

asio::awaitable<void> answer(redlock::client& locks, const http::request<http::string_body>& request,
                             http::response<http::string_body>& response) try {
    if (request.method() == http::verb::get && request.target() == "/metrics") {
        response.set(http::field::content_type, redlock::prometheus_content_type);
        response.body() = redlock::to_prometheus(locks.metrics());
    } else {
        response.body() = co_await handle(locks, std::string(request.target()));
    }
} catch (const boost::system::system_error& e) {
    response.result(http::status::service_unavailable);
    response.body() = e.code().message() + '\n';
}

asio::awaitable<void> serve(redlock::client& locks, tcp::socket socket) try {
    boost::beast::flat_buffer buffer;
    http::request<http::string_body> request;
    co_await http::async_read(socket, buffer, request, asio::use_awaitable);
    http::response<http::string_body> response(http::status::ok, request.version());
    co_await answer(locks, request, response);
    response.keep_alive(false);
    response.prepare_payload();
    co_await http::async_write(socket, response, asio::use_awaitable);
} catch (const std::exception& e) {
    std::cerr << "http_orders: " << e.what() << '\n';
}

asio::awaitable<void> listen(redlock::client& locks, tcp::acceptor& acceptor) {
    for (;;) {
        tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
        asio::co_spawn(acceptor.get_executor(), serve(locks, std::move(socket)), asio::detached);
    }
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    redlock::client locks(loop.get_executor(), {.nodes = nodes_from(argc, argv)});
    tcp::acceptor acceptor(loop, {asio::ip::address_v4::loopback(), 0});
    asio::co_spawn(loop, listen(locks, acceptor), asio::detached);
    asio::signal_set signals(loop, SIGINT, SIGTERM);
    signals.async_wait([&](auto, int) { locks.async_close([&](auto) { loop.stop(); }); });
    std::cout << "listening on port " << acceptor.local_endpoint().port() << std::endl;
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "http_orders: " << e.what() << '\n';
    return 1;
}
