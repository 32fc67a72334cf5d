// Which of a name's addresses a client connects to.

#include "network/network_fixture.hpp"
#include "support/system_error.hpp"

#include <redlock/observer.hpp>

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>

namespace redlock::test {
namespace {

/// Takes no connection and refuses none: its queue is full, and the system drops what asks for more.
class deaf_address {
public:
    deaf_address(const char* address, int port) : listener_(make_socket()) {
        at_.sin_family = AF_INET;
        at_.sin_port = htons(static_cast<std::uint16_t>(port));
        ::inet_pton(AF_INET, address, &at_.sin_addr);
        const int yes = 1; // an earlier test may have had it
        ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (::bind(listener_.get(), where(), sizeof at_) != 0 || ::listen(listener_.get(), 0) != 0)
            throw_errno("listen");
        while (fills_a_place())
            continue;
    }

private:
    static file_descriptor make_socket() {
        return file_descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    }
    const ::sockaddr* where() const { return reinterpret_cast<const ::sockaddr*>(&at_); }
    /// On loopback, a connection that is taken is taken at once.
    bool fills_a_place() {
        fillers_.push_back(make_socket());
        ::connect(fillers_.back().get(), where(), sizeof at_);
        ::pollfd connected{fillers_.back().get(), POLLOUT, 0};
        return ::poll(&connected, 1, 100) == 1;
    }

    ::sockaddr_in at_{};
    file_descriptor listener_;
    std::vector<file_descriptor> fillers_;
};

struct loss_counter : observer {
    void node_changed(std::string_view, bool ready, std::string_view) noexcept override {
        losses += ready ? 0 : 1;
    }
    int losses = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(addresses, network_fixture)

BOOST_AUTO_TEST_CASE(ipv6_by_address_and_by_name) {
    redis_server server(at("::1"));
    names.tell("six.test", {"::1"});
    for (const std::string host : {"[::1]", "six.test"}) {
        client locks(context.get_executor(), settings({host}));
        lock_and_unlock(locks, "key");
        BOOST_TEST(node(locks).node == uri(host) + "/0");
        BOOST_TEST(node(locks).connects == 1u);
    }
}

BOOST_AUTO_TEST_CASE(a_name_with_both_kinds_finds_the_one_that_is_served) {
    names.tell("both.test", {"::1", "127.0.0.2"});
    for (const char* served : {"::1", "127.0.0.2"}) {
        redis_server server(at(served));
        client locks(context.get_executor(), settings({"both.test"}));
        lock_and_unlock(locks, "key");
        BOOST_TEST(node(locks).connects == 1u);
    }
}

// Whatever the order in which the resolver puts them, one of those that say nothing comes before the server.
BOOST_AUTO_TEST_CASE(addresses_that_swallow_everything_hold_up_nobody) {
    const deaf_address one("127.0.0.1", port), other("127.0.0.9", port);
    redis_server server(at("127.0.0.5"));
    names.tell("some.test", {"127.0.0.1", "127.0.0.5", "127.0.0.9"});
    config c = settings({"some.test"});
    const auto counter = std::make_shared<loss_counter>();
    c.observer = counter;
    client locks(context.get_executor(), c);
    lock_and_unlock(locks, "key");
    BOOST_TEST(counter->losses == 0); // within the first attempt
    BOOST_TEST(node(locks).connects == 1u);
}

BOOST_AUTO_TEST_CASE(an_attempt_that_only_meets_silence_says_so) {
    const deaf_address one("127.0.0.2", port);
    names.tell("some.test", {"127.0.0.2", "127.0.0.3"});
    config c = settings({"some.test"});
    c.node_timeout = 50ms; // an attempt has a second
    client locks(context.get_executor(), c);
    BOOST_TEST(is_lost(locks, "did not complete the handshake within 1000 ms and cannot be reached: "));
    const std::string text = node(locks).last_error_text;
    BOOST_TEST(text.starts_with(uri("some.test") + "/0 "), text);
    BOOST_TEST(text.find("127.0.0.2: no answer") != text.npos, text);
    BOOST_TEST(text.find("127.0.0.3: Connection refused") != text.npos, text);
    run(locks.async_close(asio::use_awaitable));
}

BOOST_AUTO_TEST_CASE(addresses_that_all_refuse_are_named) {
    names.tell("some.test", {"127.0.0.2", "127.0.0.3", "::1"});
    client locks(context.get_executor(), settings({"some.test"}));
    BOOST_TEST(is_lost(locks, "cannot be reached: "));
    const std::string text = node(locks).last_error_text;
    for (const char* address : {"127.0.0.2", "127.0.0.3", "::1"})
        BOOST_TEST(text.find(fmt::format("{}: Connection refused", address)) != text.npos, text);
    BOOST_TEST(text.starts_with(uri("some.test") + "/0 "), text);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace redlock::test
