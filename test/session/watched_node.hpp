#pragma once

#include "engines/redis/node/redis_node.hpp"
#include "engines/redis/resp/command_batch.hpp"
#include "session/model_server.hpp"
#include "session/virtual_world.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// What a test asks of a node. A subscription is followed by a `PTTL`, as it must be.
enum class ask : std::uint8_t { echo, unanswerable, cleanup, subscription };

/// A real node on a virtual network, which is held to what `engines/redis/node/node.hpp` and
/// `engines/redis/node/redis_node.hpp` promise at every call. The first promise that was broken is
/// remembered. For one thread.
class watched_node final : public node::node_listener, public node::reply_receiver {
public:
    explicit watched_node(const node::node_settings& settings, const std::string& uri = "redis://node");
    watched_node(const watched_node&) = delete;
    watched_node& operator=(const watched_node&) = delete;
    ~watched_node() { finish(); }

    // What a client does.

    void start();
    /// `size` bytes are asked for beside the number of the request.
    void submit(ask what, std::chrono::nanoseconds within, std::size_t size = 0);
    void flush();
    void stop();
    void destroy() { node_.reset(); }
    /// Destroys the node and runs what is left.
    void finish();

    // What happens to it.

    /// Runs one handler; false when none is ready.
    bool run_one();
    /// Runs handlers and rings timers until nothing is left to do at this instant.
    void settle();
    /// Lets time pass, and everything happen at its moment.
    void pass(std::chrono::nanoseconds time);

    virtual_world& world() noexcept { return world_; }
    /// The server of the latest connection, which has read what was written.
    model_server& server();
    /// Answers all that waits in the latest connection, piece by piece; makes the connection first.
    void serve(std::size_t piece = std::string::npos);
    /// From here on the peer is not one that keeps to the protocol, until the next connection.
    void taint();
    bool tainted() const noexcept { return tainted_; }

    // What came of it.

    bool alive() const noexcept { return node_ != nullptr; }
    bool stopped() const noexcept { return stopped_; }
    node::health state() const { return node_->state(); }
    std::size_t accepted() const noexcept { return requests_.size(); }
    std::size_t replies() const noexcept { return replies_; }
    /// The promise that was broken first; empty when all were kept.
    const std::string& broken() const noexcept { return broken_; }
    /// Checks what must hold when nothing is left to run.
    void expect_rest();
    /// Checks that more than `before` replies have come.
    void expect_served(std::size_t before);

    /// Called at the end of every call that the node makes, when it is not empty.
    std::function<void()> then;
    bool resp3 = true; ///< whether the servers of further connections speak it

private:
    struct asked {
        ask what;
        bool pttl; ///< the one behind a subscription
        time::instant deadline;
        time::instant due; ///< the same by the clock that timers wait by
        int outcomes = 0;
    };

    void on_node_ready(std::uint32_t node, bool new_connection) noexcept override;
    void on_node_down(std::uint32_t node) noexcept override;
    void on_push(std::uint32_t node, const resp::reply& message) noexcept override;
    void on_turn_begin() noexcept override;
    void on_turn_end() noexcept override;
    void on_reply(node::reply_tag tag, const resp::reply& reply) noexcept override;
    void on_failure(node::reply_tag tag, errc why) noexcept override;

    void expect(bool holds, const char* promise);
    void expect_call(bool in_turn = true);
    void submit_one(ask what, bool pttl, std::initializer_list<std::string_view> words,
                    time::instant deadline);
    void resolve(std::uint32_t tag);
    bool right_reply(std::uint32_t tag, const resp::reply& reply) const;
    void react();

    boost::asio::io_context context_{1};
    virtual_strand strand_;
    virtual_world& world_;
    node::node_settings settings_;
    std::unique_ptr<node::redis_node> node_;
    model_server server_;
    std::size_t served_ = 0; ///< the number of the connection that `server_` is for

    /// Some commands stand here, and only until the node was flushed.
    resp::command_batch batch_;
    std::vector<asked> requests_;
    time::instant latest_deadline_ = time::instant::min();
    time::instant latest_due_ = time::instant::min();
    std::size_t unresolved_ = 0;
    std::size_t replies_ = 0;
    int stops_ = 0;
    int ends_ = 0;
    bool in_turn_ = false;
    bool quiet_ = false;    ///< inside a member that calls nobody
    bool stopping_ = false; ///< inside `stop`
    bool stopped_ = false;
    bool tainted_ = false;
    bool any_tainted_ = false;
    std::string broken_;
};

} // namespace redlock::test
