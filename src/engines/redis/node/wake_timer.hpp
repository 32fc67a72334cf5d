#pragma once

#include "time/instant.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::node {

/// One wake-up call at an instant of the lease clock. It is armed lazily: as long as it is armed for an
/// earlier instant it is left alone, and whoever is woken too early arms it again. That makes one operation
/// per timeout out of one per command.
class wake_timer {
public:
    using strand = boost::asio::strand<boost::asio::any_io_executor>;

    explicit wake_timer(const strand& on) : timer_(on, std::chrono::steady_clock::now()) {}

    /// The instant it is armed for; `instant::max()` when it is not armed. The reference stays good, and
    /// shows what it is armed for later.
    const time::instant& armed_for() const noexcept { return armed_for_; }

    /// Wakes at `at` instead of whatever it was armed for; the handler of that gets `operation_aborted`.
    /// Handler: void(error_code), on the strand. A handler that runs without an error calls `fired` first.
    template <class Handler>
    void arm(time::instant at, time::instant now, Handler handler) {
        constexpr time::instant::duration at_once{0};
        constexpr time::instant::duration longest = std::chrono::hours(1); // far from any overflow
        armed_for_ = at;
        timer_.expires_after(std::clamp(at - now, at_once, longest));
        timer_.async_wait(std::move(handler));
    }

    void fired() noexcept { armed_for_ = time::instant::max(); }

    void cancel() {
        timer_.cancel();
        armed_for_ = time::instant::max();
    }

private:
    using steady = boost::asio::wait_traits<std::chrono::steady_clock>;
    boost::asio::basic_waitable_timer<std::chrono::steady_clock, steady, strand> timer_;
    time::instant armed_for_ = time::instant::max();
};

} // namespace redlock::node
