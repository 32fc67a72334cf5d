#include "time/alarm.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>

namespace redlock::time {

namespace {

int open_timer() {
    const int descriptor = ::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "timerfd_create");
    return descriptor;
}

} // namespace

alarm::alarm(const strand& on) : timer_(on, open_timer()) {}

void alarm::start(const std::shared_ptr<void>& alive, std::function<void()> woken) {
    woken_ = std::move(woken);
    wait(alive);
}

void alarm::wait(const std::shared_ptr<void>& alive) {
    timer_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                      [this, alive](boost::system::error_code ec) {
                          if (ec || stopped_) return;
                          take_ring();
                          woken_();
                          if (!stopped_) wait(alive);
                      });
}

void alarm::take_ring() noexcept {
    // A child whose context was not told of the fork waits on the same epoll as its parent, and took the ring
    // from it. An early ring does no harm there.
    if (made_in_.is_of_parent()) return set(std::chrono::nanoseconds(1));
    std::uint64_t expirations = 0;
    if (::read(timer_.native_handle(), &expirations, sizeof expirations) > 0) set_for_ = instant::max();
}

// One that should have rung by now may have rung elsewhere.
void alarm::wake_at(instant at, instant now) noexcept {
    if ((at >= set_for_ && set_for_ > now) || at == instant::max()) return;
    if (made_in_.is_of_parent() || !timer_.is_open()) return;
    set_for_ = at;
    // Zero would disarm the timer; any instant in the past rings at once.
    set(std::max(at.time_since_epoch(), std::chrono::nanoseconds(1)));
}

void alarm::set(std::chrono::nanoseconds since_boot) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_boot);
    itimerspec when{};
    when.it_value.tv_sec = seconds.count();
    when.it_value.tv_nsec = (since_boot - seconds).count();
    ::timerfd_settime(timer_.native_handle(), TFD_TIMER_ABSTIME, &when, nullptr);
}

void alarm::stop() noexcept {
    stopped_ = true;
    boost::system::error_code ignored;
    timer_.close(ignored);
}

// To close it would leave it in the child's epoll, for the parent's descriptor keeps the timer alive.
void alarm::leave() noexcept {
    stopped_ = true;
    if (timer_.is_open()) ::close(timer_.release());
}

} // namespace redlock::time
