#include "contention/yardstick.hpp"

#include "floor.hpp"
#include "wire_node.hpp"

#include <algorithm>
#include <chrono>

namespace bench {
namespace {

double ping_p50(std::uint16_t port) {
    wire_node node(port);
    std::vector<double> times;
    for (int i = 0; i < 2000; ++i) {
        const auto start = steady::now();
        node.ask("*1\r\n$4\r\nPING\r\n");
        times.push_back(std::chrono::duration<double, std::micro>(steady::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + 1000, times.end());
    return times[1000];
}

} // namespace

double cycle_p50_microseconds(const std::vector<std::uint16_t>& ports) {
    using std::chrono::milliseconds;
    return floor(ports, 1)
        .run({.in_flight = 1, .warm_up = milliseconds(100), .duration = milliseconds(400)})
        .p50_microseconds;
}

yardstick measure_yardstick(const std::vector<std::uint16_t>& ports) {
    using std::chrono::milliseconds;
    floor wire(ports, 1);
    const sample s = wire.run({.in_flight = 1, .warm_up = milliseconds(200), .duration = milliseconds(1500)});
    return {.cycle_p50_microseconds = s.p50_microseconds,
            .cycle_p99_microseconds = s.p99_microseconds,
            .ping_p50_microseconds = ping_p50(ports.front())};
}

} // namespace bench
