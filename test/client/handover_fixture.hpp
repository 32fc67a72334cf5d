#pragma once

#include "lock_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>

namespace redlock::test {

inline constexpr const char* queue_of_key = "key:redlock-queue";

/// Clients that want the same key. On a busy machine an entry in a queue is taken for dead after seconds: the
/// order is that of the calls as long as nothing stands still for so long.
struct handover_fixture : lock_fixture {
    handover_fixture() {
        for (std::size_t i = 0; i < 5; ++i)
            clients.emplace_back(context.get_executor(), settings());
        for (const client& each : clients)
            BOOST_REQUIRE(becomes_ready(each));
    }

    /// On a node that does not have the key yet, whoever enters the queue is served.
    lease lock_everywhere(client& by) {
        lease held = lock(by, "key");
        BOOST_REQUIRE(run_until([&] { return nodes.holders("key") == nodes.size(); }));
        return held;
    }
    std::size_t in_queue(std::size_t node) {
        return static_cast<std::size_t>(nodes[node].command({"ZCARD", queue_of_key}).integer);
    }
    /// Whether so many stand in the queue of each node.
    bool all_queue(std::size_t count) {
        return run_until([&] {
            for (std::size_t node = 0; node < nodes.size(); ++node)
                if (in_queue(node) != count) return false;
            return true;
        });
    }
    /// One behind the other.
    void line_up() {
        waiting.resize(clients.size());
        for (std::size_t i = 1; i < clients.size(); ++i) {
            clients[i].async_lock("key", patiently(), waiting[i].handler());
            BOOST_REQUIRE(all_queue(i));
        }
    }
    /// Whoever was told of something before has heard it then.
    void let_hear(client& each) { run(each.async_inspect("other", boost::asio::use_awaitable)); }
    lease take_from(outcome<lease>& one) {
        BOOST_REQUIRE(run_until([&] { return one.done(); }));
        BOOST_REQUIRE(!one.error());
        return std::move(one.value());
    }
    void nothing_is_left() {
        BOOST_TEST(becomes_free("key"));
        BOOST_TEST(becomes_free(queue_of_key));
    }

    std::deque<client> clients;
    std::deque<outcome<lease>> waiting;
};

} // namespace redlock::test
