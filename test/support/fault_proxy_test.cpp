#include "support/eventually.hpp"
#include "support/fault_proxy.hpp"
#include "support/redis_server.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

// A client on a plain socket, so that the test sees what the proxy does to single bytes.
struct plain_client {
    explicit plain_client(std::uint16_t port) : socket(context) {
        socket.connect({asio::ip::address_v4::loopback(), port}, failure);
    }
    void send(const std::vector<std::string>& command) {
        asio::write(socket, asio::buffer(encode_command(command)), failure);
    }
    // What arrives until `size` bytes are there, the connection ends, or the bound passes.
    std::string receive(std::size_t size, std::chrono::milliseconds bound = patience) {
        std::string bytes(size, '\0');
        std::size_t received = 0;
        bool done = false;
        asio::async_read(socket, asio::buffer(bytes), [&](error_code ec, std::size_t n) {
            failure = ec;
            received = n;
            done = true;
        });
        context.restart();
        context.run_for(bound);
        if (!done) {
            socket.cancel();
            context.restart();
            context.run();
        }
        bytes.resize(received);
        return bytes;
    }
    asio::io_context context;
    tcp::socket socket;
    error_code failure;
};

struct fault_proxy_test_fixture {
    redis_server server;
    fault_proxy proxy{server.port()};
};

const std::string pong = "+PONG\r\n";

BOOST_FIXTURE_TEST_SUITE(fault_proxy_suite, fault_proxy_test_fixture)

BOOST_AUTO_TEST_CASE(passes_commands_and_counts_them) {
    plain_client client(proxy.port());
    client.send({"PING"});
    client.send({"PING"});
    BOOST_TEST(client.receive(2 * pong.size()) == pong + pong);
    BOOST_TEST(proxy.commands("PING") == 2u);
    BOOST_TEST(proxy.commands("SET") == 0u);
    BOOST_TEST(proxy.open_connections() == 1u);
    BOOST_TEST(proxy.accepted_connections() == 1u);
}

BOOST_AUTO_TEST_CASE(refuses_and_accepts_again_on_the_same_port) {
    plain_client old(proxy.port());
    old.send({"PING"});
    BOOST_TEST(old.receive(pong.size()) == pong);
    proxy.refuse();
    BOOST_TEST(old.receive(1).empty());
    BOOST_TEST(old.failure == asio::error::connection_reset);
    for (int round = 0; round < 3; ++round) {
        proxy.refuse();
        BOOST_TEST(plain_client(proxy.port()).failure == asio::error::connection_refused);
        asio::io_context other;
        const tcp::endpoint taken(asio::ip::address_v4::loopback(), proxy.port());
        BOOST_CHECK_THROW(tcp::acceptor(other, taken), boost::system::system_error);
        proxy.pass();
        plain_client again(proxy.port());
        again.send({"PING"});
        BOOST_TEST(again.receive(pong.size()) == pong);
    }
}

BOOST_AUTO_TEST_CASE(a_black_hole_accepts_and_never_answers) {
    plain_client old(proxy.port());
    old.send({"PING"});
    BOOST_TEST(old.receive(pong.size()) == pong);
    proxy.black_hole();
    plain_client fresh(proxy.port());
    BOOST_TEST(!fresh.failure);
    old.send({"PING"});
    fresh.send({"PING"});
    BOOST_TEST(old.receive(1, 50ms).empty());
    BOOST_TEST(fresh.receive(1, 50ms).empty());
    proxy.pass();
    BOOST_TEST(fresh.receive(1).empty());
    BOOST_TEST(fresh.failure == asio::error::connection_reset);
}

BOOST_AUTO_TEST_CASE(a_black_hole_needs_no_server) {
    server.kill();
    proxy.black_hole();
    plain_client client(proxy.port());
    client.send({"PING"});
    BOOST_TEST(client.receive(1, 50ms).empty());
    BOOST_TEST(client.failure == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(frozen_bytes_arrive_after_the_thaw) {
    plain_client client(proxy.port());
    proxy.freeze();
    client.send({"PING"});
    BOOST_TEST(client.receive(1, 50ms).empty());
    proxy.thaw();
    BOOST_TEST(client.receive(pong.size()) == pong);
}

BOOST_AUTO_TEST_CASE(freezes_one_direction) {
    plain_client client(proxy.port());
    proxy.freeze(direction::to_client);
    client.send({"SET", "k", "v"});
    BOOST_TEST(eventually([&] { return server.exists("k"); }));
    BOOST_TEST(client.receive(1, 50ms).empty());
    proxy.thaw();
    BOOST_TEST(client.receive(5) == "+OK\r\n");
}

BOOST_AUTO_TEST_CASE(loses_one_direction_until_the_connection_is_reset) {
    plain_client client(proxy.port());
    proxy.lose(direction::to_client);
    client.send({"SET", "k", "v"});
    BOOST_TEST(eventually([&] { return server.exists("k"); }));
    BOOST_TEST(client.receive(1, 50ms).empty());
    proxy.pass();
    client.receive(1);
    BOOST_TEST(client.failure == asio::error::connection_reset);
}

BOOST_AUTO_TEST_CASE(delays_and_fragments) {
    plain_client client(proxy.port());
    proxy.fragment(true);
    client.send({"PING"});
    BOOST_TEST(client.receive(pong.size()) == pong);
    proxy.delay(100ms);
    const auto start = clock::now();
    client.send({"PING"});
    BOOST_TEST(client.receive(pong.size()) == pong);
    BOOST_TEST((clock::now() - start >= 200ms));
}

BOOST_AUTO_TEST_CASE(resets_connections) {
    plain_client client(proxy.port());
    client.send({"PING"});
    client.receive(pong.size());
    proxy.reset_connections();
    client.receive(1);
    BOOST_TEST(client.failure == asio::error::connection_reset);
    BOOST_TEST(proxy.open_connections() == 0u);
}

BOOST_AUTO_TEST_CASE(acts_before_a_command_is_passed_on) {
    plain_client client(proxy.port());
    proxy.before_command("SET", [&] { proxy.reset_connections(); });
    client.send({"PING"});
    BOOST_TEST(client.receive(pong.size()) == pong);
    client.send({"SET", "k", "v"});
    client.receive(1);
    BOOST_TEST(client.failure);
    BOOST_TEST(!server.exists("k"));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_is_seen_through_the_proxy) {
    plain_client client(proxy.port());
    client.send({"PING"});
    client.receive(pong.size());
    server.kill();
    client.receive(1);
    BOOST_TEST(client.failure);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
