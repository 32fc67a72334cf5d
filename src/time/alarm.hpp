#pragma once

#include "time/instant.hpp"
#include "time/process_mark.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/strand.hpp>

#include <functional>
#include <memory>

namespace redlock::time {

/// Wakes a strand at an instant of the lease clock: a Linux timerfd on CLOCK_BOOTTIME, so that an instant
/// that passed while the machine was suspended wakes it right after. All members on the strand; destroy it
/// there too, or when nothing runs on it any more.
class alarm {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    /// Throws std::system_error when the system has no descriptor to spare.
    explicit alarm(const strand& on);

    /// Calls `woken` on the strand at each alarm, until `stop`. `alive` is held by what is under way, so that
    /// the alarm exists when it ends.
    void start(const std::shared_ptr<void>& alive, std::function<void()> woken);

    /// Makes sure of a call at `at` or earlier: an earlier alarm that is still to come is left alone, since
    /// whoever wakes too early sets the next one then. `instant::max()` asks for nothing.
    void wake_at(instant at, instant now) noexcept;

    void stop() noexcept;

    /// In a forked child, whose context has been told: gives up the child's descriptor of the timer, which
    /// goes on for the parent. Nothing is called any more.
    void leave() noexcept;

private:
    void wait(const std::shared_ptr<void>& alive);
    void set(std::chrono::nanoseconds since_boot) noexcept;
    void take_ring() noexcept;

    const process_mark made_in_;
    boost::asio::posix::basic_stream_descriptor<strand> timer_;
    std::function<void()> woken_;
    instant set_for_ = instant::max();
    bool stopped_ = false;
};

} // namespace redlock::time
