// Turns what happens in a client into log lines, each a JSON object: two callers of one client share a key,
// and a caller of another client is refused.

#include "nodes.hpp"

#include <redlock/redlock.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/src.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace std::chrono_literals;

/// Writes one object a line. It is called on the client's strand, where a log that may block, such as a slow
/// disk, would hold up renewals: a server hands the lines to a thread of its own there.
class json_log final : public redlock::observer {
public:
    json_log(std::string client, std::ostream& out) : client_(std::move(client)), out_(out) {}

    void granted(std::string_view key, std::chrono::nanoseconds waited) noexcept override {
        write("granted", {{"key", key}, {"waited_ms", milliseconds(waited)}});
    }
    void refused(std::string_view key, boost::system::error_code why) noexcept override {
        write("refused", {{"key", key}, {"why", why.message()}});
    }
    void waiting(std::string_view key) noexcept override { write("waiting", {{"key", key}}); }
    void handed_over(std::string_view key, std::chrono::nanoseconds held) noexcept override {
        write("handed_over", {{"key", key}, {"held_ms", milliseconds(held)}});
    }
    void released(std::string_view key, std::chrono::nanoseconds held) noexcept override {
        write("released", {{"key", key}, {"held_ms", milliseconds(held)}});
    }
    void renewed(std::string_view key, std::chrono::nanoseconds remaining) noexcept override {
        write("renewed", {{"key", key}, {"remaining_ms", milliseconds(remaining)}});
    }
    void lost(std::string_view key, std::chrono::nanoseconds remaining) noexcept override {
        write("lost", {{"key", key}, {"remaining_ms", milliseconds(remaining)}});
    }
    void node_warned(std::string_view node, std::string_view why) noexcept override {
        write("node_warned", {{"node", node}, {"why", why}});
    }
    void node_changed(std::string_view node, bool ready, std::string_view why) noexcept override {
        write("node_changed", {{"node", node}, {"ready", ready}, {"why", why}});
    }

private:
    static double milliseconds(std::chrono::nanoseconds d) {
        return std::chrono::duration<double, std::milli>(d).count();
    }

    void write(std::string_view event, json::object details) {
        const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
        json::object line{
            {"time_ms", std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count()},
            {"client", client_},
            {"event", event}};
        for (auto& [name, value] : details)
            line[name] = std::move(value);
        out_ << json::serialize(line) << '\n';
    }

    std::string client_;
    std::ostream& out_;
};

redlock::config logged(std::vector<std::string> nodes, const std::string& name) {
    redlock::config c;
    c.nodes = std::move(nodes);
    c.client_name = name;
    c.node_timeout = 500ms;
    c.observer = std::make_shared<json_log>(name, std::cout);
    return c;
}

const std::string key = "order \"17\"\nof today"; // whatever is in it, a line stays a line

asio::awaitable<void> work_first(redlock::client& shop, redlock::client& rival) {
    auto lease = co_await shop.async_lock(key, {.ttl = 5s});
    try {
        std::ignore = co_await rival.async_try_lock(key, {.ttl = 5s});
    } catch (const boost::system::system_error&) { // in the log
    }
    co_await lease.async_unlock();
}

asio::awaitable<void> work_second(redlock::client& shop, redlock::client& rival) {
    auto lease = co_await shop.async_lock(key, {.ttl = 5s});
    co_await lease.async_unlock();
    co_await rival.async_close();
    co_await shop.async_close();
}

int main(int argc, char** argv) try {
    asio::io_context loop;
    const auto nodes = nodes_from(argc, argv);
    redlock::client shop(loop.get_executor(), logged(nodes, "shop"));
    redlock::client rival(loop.get_executor(), logged(nodes, "rival"));
    const auto rethrow = [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
    };
    asio::co_spawn(loop, work_first(shop, rival), rethrow);
    asio::co_spawn(loop, work_second(shop, rival), rethrow);
    loop.run();
} catch (const std::exception& e) {
    std::cerr << "structured_log: " << e.what() << '\n';
    return 1;
}
