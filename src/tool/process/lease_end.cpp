#include "process/lease_end.hpp"

#include <cerrno>
#include <ctime>
#include <new>
#include <sys/mman.h>
#include <system_error>

namespace redlock::tool {

boot_clock::time_point boot_clock::now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

lease_end::lease_end() {
    void* const memory =
        ::mmap(nullptr, sizeof(number), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    shared_ = new (memory) number(boot_clock::time_point::max().time_since_epoch().count());
}

lease_end::~lease_end() { ::munmap(shared_, sizeof(number)); }

} // namespace redlock::tool
