#include "bench/report/bench_origin.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <sys/utsname.h>
#include <thread>

namespace redlock::tool {

bench_origin origin_here(const std::string& command_line) {
    bench_origin origin{.command_line = command_line};
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    origin.begun = fmt::format("{:%Y-%m-%d %H:%M:%S %z}", fmt::localtime(now));
    utsname system{};
    if (::uname(&system) != 0) return origin;
    const unsigned processors = std::thread::hardware_concurrency();
    origin.host = fmt::format("{}: {} {}, {}, {} {}", system.nodename, system.sysname, system.release,
                              system.machine, processors, processors == 1 ? "processor" : "processors");
    return origin;
}

} // namespace redlock::tool
