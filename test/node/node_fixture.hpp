#pragma once

#include "engines/redis/node/redis_node.hpp"
#include "engines/redis/resp/command.hpp"
#include "node/recorder.hpp"
#include "support/event_loop.hpp"

#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

using namespace std::chrono_literals;
using node::health;

/// Remembers what a node says between requests. Each call is followed by `then`, if that is not empty.
struct event_log final : node::node_listener {
    std::vector<std::string> events; ///< "connected", "recovered", "down" and "push"
    std::size_t turns = 0;
    std::function<void()> then;
    std::function<void()> then_at_turn_end;

    void on_node_ready(std::uint32_t, bool new_connection) noexcept override {
        note(new_connection ? "connected" : "recovered");
    }
    void on_node_down(std::uint32_t) noexcept override { note("down"); }
    void on_push(std::uint32_t, const resp::reply&) noexcept override { note("push"); }
    void on_turn_end() noexcept override {
        ++turns;
        if (then_at_turn_end) then_at_turn_end();
    }

    bool heard(std::vector<std::string> expected) const { return events == expected; }

private:
    void note(const char* event) {
        events.emplace_back(event);
        if (then) then();
    }
};

/// Timeouts that no slow machine passes by mistake.
inline node::node_settings patient() {
    node::node_settings settings;
    settings.node_timeout = 5s;
    return settings;
}

/// A node with its event loop, its listener and a receiver for all requests. At the end it is stopped and
/// must come to rest.
struct node_fixture : event_loop {
    recorder log;
    event_log events;
    node::redis_node::strand strand =
        boost::asio::make_strand(boost::asio::any_io_executor(context.get_executor()));
    std::unique_ptr<node::redis_node> node;

    node_fixture() {
        events.then_at_turn_end = [this] {
            if (node) node->flush();
        };
    }
    ~node_fixture() {
        if (!node) return;
        node->stop();
        BOOST_TEST(run_until([&] { return node->idle(); }));
    }

    void make(const std::string& uri, node::node_settings settings = patient()) {
        node = std::make_unique<node::redis_node>(strand, node::parse_address(uri), 0, settings, events,
                                                  time::real_time(), 1);
    }
    void start(const std::string& uri, node::node_settings settings = patient()) {
        make(uri, settings);
        node->start();
    }
    /// Starts and waits until the node is ready.
    void connect(const std::string& uri, node::node_settings settings = patient()) {
        start(uri, settings);
        BOOST_REQUIRE(run_until([&] { return node->state() == health::ready; }));
    }

    errc submit(std::uint32_t tag, std::initializer_list<std::string_view> words,
                std::chrono::nanoseconds within = patience, bool cleanup = false) {
        std::string command;
        resp::append_command(command, words);
        return node->submit({.command = command,
                             .receiver = &log,
                             .tag = node::reply_tag::numbered(tag),
                             .deadline = time::lease_clock::now() + within,
                             .cleanup = cleanup});
    }
    bool accepted(std::uint32_t tag, std::initializer_list<std::string_view> words,
                  std::chrono::nanoseconds within = patience, bool cleanup = false) {
        return submit(tag, words, within, cleanup) == errc{};
    }

    bool await_outcomes(std::size_t count) {
        return run_until([&] { return log.count() >= count; });
    }
    bool await_state(health expected) {
        return run_until([&] { return node->state() == expected; });
    }
};

inline std::string printed(errc e) { return std::to_string(static_cast<int>(e)); }

} // namespace redlock::test
