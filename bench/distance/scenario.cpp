#include "distance/scenario.hpp"

#include <chrono>
#include <cstdint>

namespace bench {

namespace {

using namespace std::chrono_literals;
using redlock::test::distance;

std::vector<distance> five(const distance& each) { return std::vector(5, each); }

std::vector<distance> with_last(std::vector<distance> ways, const distance& last) {
    ways.back() = last;
    return ways;
}

} // namespace

std::vector<distance_scenario> distance_scenarios() {
    constexpr std::uint64_t megabit = 1'000'000;
    return {
        {.name = "0.2 ms", .ways = five({.round_trip = 200us})},
        {.name = "1 ms", .ways = five({.round_trip = 1ms})},
        {.name = "5 ms", .ways = five({.round_trip = 5ms})},
        {.name = "30 ms", .ways = five({.round_trip = 30ms})},
        {.name = "5 ms, one at 80 ms", .ways = with_last(five({.round_trip = 5ms}), {.round_trip = 80ms})},
        {.name = "0.2, 1, 5, 30, 80 ms",
         .ways = {{.round_trip = 200us},
                  {.round_trip = 1ms},
                  {.round_trip = 5ms},
                  {.round_trip = 30ms},
                  {.round_trip = 80ms}}},
        {.name = "5 ms, jitter 5 ms", .ways = five({.round_trip = 5ms, .jitter = 5ms})},
        {.name = "5 ms, 1 % loss", .ways = five({.round_trip = 5ms, .loss = 0.01}), .counts_losses = true},
        {.name = "30 ms, 1 % loss", .ways = five({.round_trip = 30ms, .loss = 0.01}), .counts_losses = true},
        {.name = "5 ms, 1 Mbit/s", .ways = five({.round_trip = 5ms, .bits_per_second = megabit})},
        {.name = "5 ms, two unheard", .ways = five({.round_trip = 5ms}), .answers_are_lost = true}};
}

} // namespace bench
