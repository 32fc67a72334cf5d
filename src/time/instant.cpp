#include "time/instant.hpp"

#include <ctime>

namespace redlock::time {

lease_clock::time_point lease_clock::now() noexcept {
    timespec t{};
    ::clock_gettime(CLOCK_BOOTTIME, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
}

const time_source& real_time() noexcept {
    struct boot_time final : time_source {
        instant now() const noexcept override { return lease_clock::now(); }
    };
    static const boot_time source;
    return source;
}

} // namespace redlock::time
