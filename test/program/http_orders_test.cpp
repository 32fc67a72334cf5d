#include "program.hpp"
#include "support/eventually.hpp"
#include "support/node_set.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <sstream>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

/// The time during which a server worked on an order, by the clock that all processes of a machine share.
struct work {
    std::string order;
    std::int64_t from = 0;
    std::int64_t to = 0;

    bool overlaps(const work& other) const noexcept { return from < other.to && other.from < to; }
};

work parse(const std::string& body) {
    work w;
    std::string word;
    std::istringstream(body) >> w.order >> word >> w.from >> word >> w.to;
    return w;
}

asio::awaitable<void> post(std::uint16_t port, std::string target, std::vector<work>& done) {
    tcp::socket socket(co_await asio::this_coro::executor);
    co_await socket.async_connect({asio::ip::address_v4::loopback(), port}, asio::use_awaitable);
    http::request<http::empty_body> request(http::verb::post, target, 11);
    co_await http::async_write(socket, request, asio::use_awaitable);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> response;
    co_await http::async_read(socket, buffer, response, asio::use_awaitable);
    BOOST_TEST(response.result_int() == 200u, response.body());
    done.push_back(parse(response.body()));
}

struct two_servers {
    node_set nodes{5};
    program first{REDLOCK_EXAMPLES "/http_orders", nodes.uris()};
    program second{REDLOCK_EXAMPLES "/http_orders", nodes.uris()};
    std::vector<work> done;

    static std::uint16_t port_of(program& server) {
        const auto line = server.line_with("listening on port ").value_or("0");
        return static_cast<std::uint16_t>(std::stoi(line.substr(line.find_last_of(' ') + 1)));
    }

    /// Sends requests for each order to both servers in turn, all at once.
    void post_all(int orders, int requests_each) {
        asio::io_context loop;
        const std::uint16_t ports[] = {port_of(first), port_of(second)};
        const auto rethrow = [](std::exception_ptr failure) {
            if (failure) std::rethrow_exception(failure);
        };
        for (int request = 0; request < requests_each; ++request)
            for (int order = 0; order < orders; ++order)
                asio::co_spawn(loop, post(ports[request % 2], "/orders/" + std::to_string(order), done),
                               rethrow);
        loop.run_for(patience);
    }

    std::size_t overlaps(bool of_one_order) const {
        std::size_t count = 0;
        for (auto a = done.begin(); a != done.end(); ++a)
            count += static_cast<std::size_t>(std::count_if(a + 1, done.end(), [&](const work& b) {
                return (a->order == b.order) == of_one_order && a->overlaps(b);
            }));
        return count;
    }
};

BOOST_FIXTURE_TEST_SUITE(http_orders, two_servers)

BOOST_AUTO_TEST_CASE(requests_for_one_order_take_turns_and_different_orders_do_not) {
    post_all(4, 6);
    BOOST_TEST(done.size() == 24u);
    BOOST_TEST(overlaps(true) == 0u);
    BOOST_TEST(overlaps(false) > 0u);
    BOOST_TEST(nodes.holders("/orders/0") == 0u);
}

BOOST_AUTO_TEST_CASE(servers_end_when_asked_to) {
    for (auto* server : {&first, &second}) {
        BOOST_REQUIRE(port_of(*server) != 0);
        server->signal(SIGTERM);
        BOOST_TEST(server->status() == 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
