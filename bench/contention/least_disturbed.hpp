#pragma once

#include "contention/clocks.hpp"
#include "interruption.hpp"

#include <algorithm>
#include <cstddef>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// What a run gave, and which part of the processors' time the machine's host gave to others meanwhile.
template <class Result>
struct disturbed {
    double stolen = 0;
    Result result;
};

/// Runs until in so many runs less than a hundredth of the time was stolen, or `most` were made. Gives the
/// `wanted` runs in which the least was, by that; what came of them makes no difference.
template <class Run>
auto least_disturbed(std::size_t wanted, std::size_t most, Run run) {
    constexpr double peace = 0.01;
    const double processors = std::max(1u, std::thread::hardware_concurrency());
    std::vector<disturbed<std::invoke_result_t<Run&>>> all;
    for (std::size_t in_peace = 0; in_peace < wanted && all.size() < most;) {
        throw_if_interrupted();
        const double stolen_before = stolen_seconds();
        const std::int64_t began = now();
        auto result = run();
        const double passed = static_cast<double>(now() - began) / 1e9;
        all.push_back({(stolen_seconds() - stolen_before) / (passed * processors), std::move(result)});
        in_peace += all.back().stolen < peace;
    }
    std::ranges::sort(all, {}, [](const auto& one) { return one.stolen; });
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, all.size())), all.end());
    return all;
}

} // namespace bench
