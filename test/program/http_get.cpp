#include "http_get.hpp"

#include "support/eventually.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

asio::awaitable<void> get(std::uint16_t port, std::string target, std::optional<std::string>& body) try {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, "127.0.0.1");
    co_await http::async_write(socket, request, asio::use_awaitable);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> response;
    co_await http::async_read(socket, buffer, response, asio::use_awaitable);
    if (response.result() == http::status::ok) body = std::move(response.body());
} catch (const boost::system::system_error&) { // it does not listen, or not yet
}

} // namespace

std::optional<std::string> http_get(std::uint16_t port, const std::string& target) {
    std::optional<std::string> body;
    asio::io_context loop;
    asio::co_spawn(loop, get(port, target, body), asio::detached);
    loop.run_for(patience);
    return body;
}

} // namespace redlock::test
