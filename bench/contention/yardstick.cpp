#include "contention/yardstick.hpp"

#include "contention/scenario.hpp"
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
    const load back_to_back{.in_flight = 1, .warm_up = milliseconds(200), .duration = milliseconds(1500)};
    load paced = back_to_back;
    paced.hold = scenario().hold;
    const sample s = wire.run(back_to_back);
    return {.cycle_p50_microseconds = s.p50_microseconds,
            .cycle_p99_microseconds = s.p99_microseconds,
            .paced_cycle_p50_microseconds = wire.run(paced).p50_microseconds,
            .ping_p50_microseconds = ping_p50(ports.front())};
}

} // namespace bench
