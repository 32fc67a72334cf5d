#include "contention/clocks.hpp"

#include <chrono>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace bench {

std::int64_t now() {
    using std::chrono::steady_clock;
    return std::chrono::nanoseconds(steady_clock::now().time_since_epoch()).count();
}

double cpu_microseconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

double stolen_seconds() {
    std::ifstream file("/proc/stat");
    std::string all_processors;
    double ticks = 0; // user, nice, system, idle, iowait, irq, softirq, steal
    file >> all_processors;
    for (int column = 0; column < 8; ++column)
        file >> ticks;
    return file ? ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)) : 0;
}

} // namespace bench
