#include "suspend.hpp"

#include <cstdint>
#include <ctime>
#include <map>
#include <sys/timerfd.h>

namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t asleep = 0;
std::map<int, itimerspec> set_timers; ///< by the clock that is ahead

timespec moved(const timespec& t, std::int64_t by) {
    const std::int64_t all = std::int64_t{t.tv_sec} * second + t.tv_nsec + by;
    return {.tv_sec = all / second, .tv_nsec = all % second};
}

} // namespace

extern "C" {

int __real_clock_gettime(clockid_t clock, timespec* time);
int __real_timerfd_settime(int timer, int flags, const itimerspec* when, itimerspec* before);

int __wrap_clock_gettime(clockid_t clock, timespec* time) {
    const int result = __real_clock_gettime(clock, time);
    if (clock == CLOCK_BOOTTIME && result == 0) *time = moved(*time, asleep);
    return result;
}

// Only the timers of the lease clock are set to an absolute time.
int __wrap_timerfd_settime(int timer, int flags, const itimerspec* when, itimerspec* before) {
    if ((flags & TFD_TIMER_ABSTIME) == 0) return __real_timerfd_settime(timer, flags, when, before);
    set_timers[timer] = *when;
    itimerspec real = *when;
    real.it_value = moved(when->it_value, -asleep);
    // Zero would disarm it, and what is past rings at once.
    if (real.it_value.tv_sec < 0 || (real.it_value.tv_sec == 0 && real.it_value.tv_nsec <= 0))
        real.it_value = {.tv_sec = 0, .tv_nsec = 1};
    return __real_timerfd_settime(timer, flags, &real, before);
}
}

namespace redlock::test {

void suspend(std::chrono::nanoseconds time) {
    asleep += time.count();
    for (const auto& [timer, when] : std::map(set_timers))
        __wrap_timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, nullptr);
}

} // namespace redlock::test
