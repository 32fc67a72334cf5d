#pragma once

#include "engines/redis/node/redis_node.hpp"
#include "lease/call.hpp"
#include "lease/runtime.hpp"
#include "time/alarm.hpp"
#include "turn/completions.hpp"

#include <redlock/config.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/metrics.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/strand.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace redlock {
class lease;
}

namespace redlock::lock {

class held_lease;

/// What a `redlock::client` refers to: the runtime on real nodes, real time and a real strand. It keeps
/// itself alive until it is closed, so that clean-up goes on after the client object is gone, or until its
/// executor's context is destroyed.
class client_core final : public std::enable_shared_from_this<client_core>,
                          private turn_listener,
                          private inbox_waker {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    /// Throws std::system_error as the public constructor says. `start` follows.
    client_core(boost::asio::any_io_executor executor, config settings);
    ~client_core();

    void start();

    // From any thread.
    const boost::asio::any_io_executor& executor() const noexcept { return executor_; }
    const client_core::strand& on_strand() const noexcept { return *strand_; }
    static std::shared_ptr<lock::runtime> runtime_of(const std::shared_ptr<client_core>& core) {
        return {core, &core->runtime_};
    }
    inbox& calls() noexcept { return runtime_.calls(); }
    metrics_snapshot metrics() const;
    /// The client object is gone: close in the background.
    void let_go() noexcept;

    // On the strand.
    /// Does `what` as a turn.
    void turn(const std::function<void()>& what);
    lock::runtime& runtime() noexcept { return runtime_; }
    /// Has its executor deliver it, behind the others of this turn.
    void deliver(detail::completion_pointer<detail::completion> c);
    live_list<call>& active() noexcept { return active_; }
    /// Begins to close, and calls `closed` in a later turn, once everything has ended.
    void close(std::function<void()> closed);

    const node::address& address_of(std::uint32_t node) const noexcept { return addresses_[node]; }
    /// A connection to a node apart from the one for locks, not started yet. It is not refused by a replica,
    /// nor for being one to the same server as another node.
    std::unique_ptr<node::redis_node> connect_apart(std::uint32_t node, node::node_listener& listener) const;
    /// A call has such connections: the client does not close before it has let go of them.
    void connected_apart() noexcept { ++apart_; }
    void disconnected_apart() noexcept { --apart_; }

    /// The executor's context is being destroyed: let go of all handlers without calling them.
    void abandon() noexcept;

    static lease lease_of(detail::lease_pointer held) noexcept;
    /// The core whose runtime this is. Not for a runtime of any other kind.
    static client_core& of(const lock::runtime& r) noexcept;

private:
    enum class phase { open, closing, disconnecting, closed };

    // The mutex is held through every turn, so that `metrics` sees the state between two of them.
    void turn_began() noexcept override { turn_mutex_.lock(); }
    void turn_ended(std::optional<time::instant> next) noexcept override;
    void wake() noexcept override;
    void request_flush();
    void flush_turn();
    void go_on_closing();
    void node_ended();
    void finish_closing();

    boost::asio::any_io_executor executor_;
    std::optional<client_core::strand> strand_; ///< nothing once the executor's context is gone
    mutable std::mutex turn_mutex_;
    lock::runtime runtime_;
    std::vector<node::address> addresses_;
    node::node_settings apart_settings_;
    std::vector<std::unique_ptr<node::redis_node>> nodes_;
    /// Second connections, for subscriptions to servers that speak RESP2. Not started before they are needed.
    std::vector<std::unique_ptr<node::redis_node>> ears_;
    std::vector<bool> ear_started_;
    std::optional<time::alarm> alarm_; ///< likewise
    live_list<call> active_;
    detail::completion_queue completed_; ///< in this turn, for the loop that the client runs on
    phase phase_ = phase::open;
    std::size_t connected_nodes_ = 0; ///< that have not ended yet
    std::size_t apart_ = 0;           ///< calls with connections of their own
    std::vector<std::function<void()>> when_closed_;
    bool served_ = false; ///< somebody, in this turn
    bool flush_requested_ = false;
    bool flushing_ = false; ///< this turn ends with the flush
    std::shared_ptr<client_core> keep_;
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> let_go_{false};
};

} // namespace redlock::lock
