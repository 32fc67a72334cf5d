#include "network/transport/io_source.hpp"

#include "network/transport/socket_stream.hpp"

#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::network {

namespace {

class steady_wake_timer final : public wake_timer {
public:
    explicit steady_wake_timer(const io_source::strand& on) : timer_(on, clock::now()) {}

private:
    using clock = std::chrono::steady_clock;

    void wait(time::instant at, time::instant now, handler woken) override {
        constexpr time::instant::duration at_once{0};
        constexpr time::instant::duration longest = std::chrono::hours(1); // far from any overflow
        timer_.expires_after(std::clamp(at - now, at_once, longest));
        timer_.async_wait(std::move(woken));
    }
    void abort() override { timer_.cancel(); }

    boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, io_source::strand> timer_;
};

class sockets_and_timers final : public io_source {
    std::shared_ptr<stream> make_stream(const strand& on) override {
        return std::make_shared<socket_stream>(on);
    }
    std::unique_ptr<wake_timer> make_timer(const strand& on) override {
        return std::make_unique<steady_wake_timer>(on);
    }
};

} // namespace

io_source& real_io() noexcept {
    static sockets_and_timers here;
    return here;
}

} // namespace redlock::network
