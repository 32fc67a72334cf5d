// A request for a lease of the server that is on its way for longer than anybody waits for it.

#include "etcd_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <list>
#include <string>
#include <utility>

namespace redlock::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// Passes bytes on to a server, and is a network that keeps what a client has written, delivers it later, and
/// tells the server nothing of the client's end meanwhile. It lives as long as the context.
class slow_way {
public:
    slow_way(asio::io_context& in, std::uint16_t to)
        : context_(in),
          door_(in, {asio::ip::address_v4::loopback(), 0}),
          server_(asio::ip::address_v4::loopback(), to) {
        asio::co_spawn(context_, accept(), asio::detached);
    }
    std::uint16_t port() const { return door_.local_endpoint().port(); }

    /// What is written next over the connections that there are.
    void keep_next() {
        for (passage& each : all_)
            each.keeps = true;
    }
    bool has_kept() const { return kept_in_ != nullptr; }
    void deliver() { asio::co_spawn(context_, deliver_kept(), asio::detached); }
    /// The server has said something behind that.
    bool was_answered() const { return was_answered_; }

private:
    struct passage {
        explicit passage(asio::io_context& in) : client(in), server(in) {}
        tcp::socket client, server;
        bool keeps = false;
        bool delivered = false;
    };
    static constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

    asio::awaitable<void> accept() {
        for (;;) {
            tcp::socket guest(context_);
            const auto [failed] = co_await door_.async_accept(guest, as_result);
            if (failed) co_return;
            passage& next = all_.emplace_back(context_);
            next.client = std::move(guest);
            const auto [unreachable] = co_await next.server.async_connect(server_, as_result);
            if (unreachable) co_return;
            asio::co_spawn(context_, to_server(next), asio::detached);
            asio::co_spawn(context_, to_client(next), asio::detached);
        }
    }
    asio::awaitable<void> to_server(passage& p) {
        std::array<char, 16'384> some;
        for (;;) {
            const auto [failed, size] = co_await p.client.async_read_some(asio::buffer(some), as_result);
            if (p.keeps) {
                if (failed) co_return; // the server does not hear of it
                kept_.append(some.data(), size);
                kept_in_ = &p;
                continue;
            }
            if (failed) break;
            co_await asio::async_write(p.server, asio::buffer(some.data(), size), as_result);
        }
        error_code ignored;
        p.server.close(ignored);
    }
    asio::awaitable<void> to_client(passage& p) {
        std::array<char, 16'384> some;
        for (;;) {
            const auto [failed, size] = co_await p.server.async_read_some(asio::buffer(some), as_result);
            if (failed) break;
            was_answered_ = was_answered_ || p.delivered;
            co_await asio::async_write(p.client, asio::buffer(some.data(), size), as_result);
        }
        error_code ignored;
        p.client.close(ignored);
    }
    asio::awaitable<void> deliver_kept() {
        kept_in_->delivered = true;
        co_await asio::async_write(kept_in_->server, asio::buffer(kept_), as_result);
    }

    asio::io_context& context_;
    tcp::acceptor door_;
    const tcp::endpoint server_;
    std::list<passage> all_;
    std::string kept_;
    passage* kept_in_ = nullptr;
    bool was_answered_ = false;
};

struct late_grant_fixture : etcd_fixture {
    slow_way way{context, cluster.port()};
    client locks{context.get_executor(), settings_over(way.port())};

    config settings_over(std::uint16_t port) const {
        config c = settings(cluster.uri_over({port}));
        c.node_timeout = 1s;
        return c;
    }
    bool becomes_ready() {
        return run_until([&] { return locks.metrics().nodes.at(0).state == "ready"; });
    }
};

BOOST_FIXTURE_TEST_SUITE(late_grant_suite, late_grant_fixture)

// It is not there when it is looked for first, and comes behind that.
BOOST_AUTO_TEST_CASE(a_lease_that_is_granted_when_nobody_waits_for_it_is_revoked) {
    BOOST_REQUIRE(becomes_ready());
    // What it asks first has been answered.
    BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes.at(0).round_trip > 0ns; }));
    way.keep_next();
    BOOST_TEST(try_lock(locks) == errc::no_quorum);
    BOOST_REQUIRE(way.has_kept());
    BOOST_REQUIRE(run_until([&] { return locks.metrics().nodes.at(0).reconnects > 0; }));
    BOOST_REQUIRE(becomes_ready());
    lease held = lock(locks); // behind the revocation that finds nothing
    BOOST_REQUIRE(leases() == 1u);
    way.deliver();
    BOOST_REQUIRE(run_until([&] { return way.was_answered(); }));
    BOOST_TEST(run_until([&] { return leases() == 1; }));
    BOOST_TEST(held.valid());
    // Not for want of its answer.
    BOOST_TEST(locks.metrics().nodes.at(0).disconnects == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
