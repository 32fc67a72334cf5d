#include "comparison.hpp"

#include "floor.hpp"
#include "library.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr std::size_t largest_load = 16384;
constexpr std::size_t window = 1024;

void measure_pair(comparison& c, floor& bare, const std::vector<std::string>& nodes, bool library_first) {
    load fenced = c.plan;
    fenced.fencing = true;
    if (!library_first) c.fenced.push_back(run_library(nodes, fenced));
    if (library_first) c.library.push_back(run_library(nodes, c.plan));
    c.floor.push_back(bare.run(c.plan));
    if (!library_first) c.library.push_back(run_library(nodes, c.plan));
    if (library_first) c.fenced.push_back(run_library(nodes, fenced));
}

} // namespace

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double median_of(const std::vector<sample>& samples, figure f) {
    std::vector<double> values;
    for (const auto& s : samples)
        values.push_back(s.*f);
    return median(std::move(values));
}

double ratio(const std::vector<sample>& side, const std::vector<sample>& other, figure f) {
    std::vector<double> values;
    for (std::size_t i = 0; i < side.size(); ++i)
        values.push_back(side[i].*f / other[i].*f);
    return median(std::move(values));
}

double ratio(const comparison& c, figure f) { return ratio(c.library, c.floor, f); }

std::uint64_t failures(const comparison& c) {
    std::uint64_t sum = 0;
    for (const auto* side : {&c.library, &c.fenced})
        for (const auto& s : *side)
            sum += s.failures;
    return sum;
}

std::vector<comparison> compare(const std::vector<std::uint16_t>& ports,
                                const std::vector<std::string>& nodes, const extent& how_much) {
    std::vector<comparison> all;
    for (const std::size_t in_flight : {std::size_t{1}, std::size_t{64}, std::size_t{1024}, largest_load}) {
        // A caller that waits for its turn behind so many others needs longer to settle.
        const auto warm_up = in_flight > window ? how_much.warm_up * 2 : how_much.warm_up;
        all.push_back({.plan = {in_flight, window, warm_up, how_much.duration},
                       .library = {},
                       .floor = {},
                       .fenced = {}});
    }
    floor bare(ports, largest_load);
    for (std::size_t run = 0; run < how_much.runs; ++run)
        for (auto& c : all)
            measure_pair(c, bare, nodes, run % 2 == 0);
    return all;
}

} // namespace bench
