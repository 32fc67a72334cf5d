#include "report.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

std::string row(const comparison& c, const char* side, const std::vector<sample>& samples) {
    std::uint64_t failed = 0;
    for (const auto& s : samples)
        failed += s.failures;
    return fmt::format(
        "{:>9}  {:<10}{:>10.0f}{:>12.1f}{:>12.1f}{:>12.2f}{:>12.2f}{:>10}\n", c.plan.in_flight, side,
        median_of(samples, &sample::cycles_per_second), median_of(samples, &sample::p50_microseconds),
        median_of(samples, &sample::p99_microseconds), median_of(samples, &sample::cpu_microseconds),
        median_of(samples, &sample::commands_per_cycle), failed);
}

std::string ratios(const char* of, const std::vector<sample>& side, const std::vector<sample>& other) {
    const auto at = [&](figure f) { return ratio(side, other, f); };
    return fmt::format("{:>9}  {:<10}{:>10.2f}{:>12.2f}{:>12.2f}{:>12.2f}{:>12.2f}\n", "", of,
                       at(&sample::cycles_per_second), at(&sample::p50_microseconds),
                       at(&sample::p99_microseconds), at(&sample::cpu_microseconds),
                       at(&sample::commands_per_cycle));
}

std::string first_failure(const comparison& c) {
    for (const auto* side : {&c.library, &c.fenced})
        for (const auto& s : *side)
            if (s.failures > 0)
                return fmt::format("at {} in flight: {}\n", c.plan.in_flight, s.first_failure);
    return {};
}

} // namespace

std::string table(const findings& f) {
    auto text = fmt::format("{:>9}  {:<10}{:>10}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "in flight", "",
                            "cycles/s", "p50 us", "p99 us", "CPU us", "commands", "failures");
    for (const auto& c : f.comparisons) {
        text += row(c, "library", c.library);
        text += row(c, "wire floor", c.floor);
        text += ratios("to floor", c.library, c.floor);
        text += row(c, "fenced", c.fenced);
        text += ratios("to library", c.fenced, c.library) + '\n';
    }
    for (const auto& c : f.comparisons)
        text += first_failure(c);
    for (const auto& c : checks_of(f))
        text += fmt::format("{:<6}{}: {:.4g} ({} {:.4g})\n", c.passed() ? "ok" : "FAIL", c.name, c.value,
                            c.at_least ? "at least" : "at most", c.limit);
    return text;
}

} // namespace bench
