#pragma once

#include "network/transport/io_source.hpp"
#include "session/virtual_wire.hpp"
#include "time/instant.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace redlock::test {

using virtual_strand = network::io_source::strand;
class virtual_timer;

/// The time and the network of one event loop. Nothing happens there unless a test makes it happen, so that a
/// run depends on nothing but what the test does. For one thread.
class virtual_world final : public boost::asio::execution_context::service,
                            public time::time_source,
                            public network::io_source {
public:
    using key_type = virtual_world;
    static boost::asio::execution_context::id id;

    explicit virtual_world(boost::asio::execution_context& context) : service(context) {}
    static virtual_world& of(const virtual_strand& strand);

    time::instant now() const noexcept override { return now_; }
    /// The clock that timers wait by: it stands still while the machine is suspended.
    time::instant awake() const noexcept { return now_ - asleep_; }

    /// Lets time pass. Timers that are due do not ring by themselves.
    void pass(std::chrono::nanoseconds time) noexcept { now_ += time; }
    /// Suspends the machine: the lease clock runs on, timers wait as long as before.
    void suspend(std::chrono::nanoseconds time) noexcept;
    /// When the next timer is due, by the lease clock; `instant::max()` when none is set.
    time::instant next_timer() const noexcept;
    /// Rings the timers that are due: their handlers are ready to run. Returns whether there were any.
    bool ring();

    /// The wire of the latest connection, or null.
    const std::shared_ptr<virtual_wire>& wire() const noexcept { return wire_; }
    /// How many connections were begun.
    std::size_t wires() const noexcept { return wires_; }

    /// Called for each thing that a client asks of its sockets; what it returns is what that fails with.
    std::function<boost::system::error_code()> fault;

private:
    friend class virtual_timer;
    void shutdown() override;
    std::shared_ptr<network::stream> make_stream(const virtual_strand& on) override;
    std::unique_ptr<network::wake_timer> make_timer(const virtual_strand& on) override;

    time::instant now_{std::chrono::hours(1)};
    std::chrono::nanoseconds asleep_{0};
    std::vector<virtual_timer*> timers_;
    std::shared_ptr<virtual_wire> wire_;
    std::size_t wires_ = 0;
};

/// A timer of the virtual world, with the ways of Asio's: handlers run on the strand, and get
/// `operation_aborted` when the timer is cancelled or set anew.
class virtual_timer final : public network::wake_timer {
public:
    virtual_timer(const virtual_strand& on, virtual_world& world);
    ~virtual_timer() override;

private:
    friend class virtual_world;
    void wait(time::instant at, time::instant now, handler woken) override;
    void abort() override;
    void complete(boost::system::error_code ec);

    virtual_strand strand_;
    virtual_world& world_;
    time::instant due_; ///< by the clock that stands still in a suspend
    handler woken_;
};

} // namespace redlock::test
