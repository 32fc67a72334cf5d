#include "recording.hpp"

#include "core/histogram.hpp"
#include "core/random.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bench {

double nanoseconds_per_record() {
    using redlock::core::nanoseconds;
    constexpr std::size_t values = 4096;
    constexpr std::size_t rounds = 1000;
    redlock::core::random random(1);
    std::vector<nanoseconds> durations;
    for (std::size_t i = 0; i < values; ++i)
        durations.push_back(random.between(std::chrono::microseconds(20), std::chrono::milliseconds(20)));
    std::array<redlock::core::histogram, 16> histograms;
    const auto began = std::chrono::steady_clock::now();
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < values; ++i)
            histograms[i % histograms.size()].record(durations[i]);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    // Looked at, so that the compiler cannot leave the work out.
    double sum = 0;
    for (const auto& h : histograms)
        sum += h.sum();
    if (!(sum > 0)) throw std::logic_error("nothing was recorded");
    return took.count() / (values * rounds);
}

} // namespace bench
