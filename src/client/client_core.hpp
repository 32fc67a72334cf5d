#pragma once

#include "engine/engine.hpp"
#include "lease/call.hpp"
#include "lease/call_desk.hpp"
#include "lease/lessee.hpp"
#include "primitive/permits/permit_gates.hpp"
#include "time/alarm.hpp"
#include "turn/completions.hpp"
#include "turn/turns.hpp"

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

namespace redlock::lock {

/// What a `redlock::client` refers to: turns on a real strand in real time, an engine, and the leases that it
/// grants. It keeps itself alive until it is closed, so that clean-up goes on after the client object is
/// gone, or until its executor's context is destroyed.
class client_core final : public std::enable_shared_from_this<client_core>,
                          private call_desk,
                          private turn::turn_listener,
                          private turn::inbox_waker {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    /// Throws std::system_error as the public constructor says. `start` follows.
    client_core(boost::asio::any_io_executor executor, config settings);
    ~client_core();

    void start();

    // From any thread.
    const boost::asio::any_io_executor& executor() const noexcept override { return executor_; }
    static std::shared_ptr<lock::lessee> lessee_of(const std::shared_ptr<client_core>& core) {
        return {core, &core->lessee_};
    }
    metrics_snapshot metrics() const;
    /// The client object is gone: close in the background.
    void let_go() noexcept;

    /// The executor's context is being destroyed: let go of all handlers without calling them.
    void abandon() noexcept;
    /// The executor's context was told of a fork. In the child closes the descriptors at once, and the rest
    /// as `close` does, in a turn of its own, without any word to the nodes. For a client of this very
    /// process that is nothing.
    void leave_to_parent();

private:
    enum class phase { open, closing, disconnecting, closed };

    bool is_gone() const noexcept override { return !strand_; }
    void do_later(std::function<void()> what) override;
    void deliver(detail::completion_pointer<detail::completion> c) override;
    turn::live_list<call>& active() noexcept override { return active_; }
    primitive::permit_gates& permit_gates() noexcept override { return gates_; }
    void close(std::function<void()> closed) override;

    /// Does `what` as a turn.
    void turn(const std::function<void()>& what);
    // The mutex is held through every turn, so that `metrics` sees the state between two of them.
    void turn_began() noexcept override { turn_mutex_.lock(); }
    void turn_ended(std::optional<time::instant> next) noexcept override;
    void wake() noexcept override;
    bool works_for_several() const noexcept { return engine_->is_busy() || lessee_.holds_several(); }
    /// In a forked child whose context was not told of it.
    void tell_context_of_fork() noexcept;
    void request_flush();
    void flush_turn();
    void go_on_closing();
    void finish_closing();

    boost::asio::any_io_executor executor_;     ///< that of nobody once its context is gone
    std::optional<client_core::strand> strand_; ///< nothing once the executor's context is gone
    mutable std::mutex turn_mutex_;
    const std::shared_ptr<const time::time_source> clock_; ///< that leases are measured with
    turn::turns turns_;
    std::unique_ptr<engine::engine> engine_;
    lock::lessee lessee_;
    primitive::permit_gates gates_;
    std::optional<time::alarm> alarm_; ///< likewise
    turn::live_list<call> active_;
    detail::completion_queue completed_; ///< in this turn, for the loop that the client runs on
    phase phase_ = phase::open;
    std::vector<std::function<void()>> when_closed_;
    bool left_ = false;   ///< to the parent
    bool served_ = false; ///< somebody, in this turn
    bool flush_requested_ = false;
    bool flushing_ = false; ///< this turn ends with the flush
    std::shared_ptr<client_core> keep_;
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> let_go_{false};
};

} // namespace redlock::lock
