#include "report.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace bench {
namespace {

std::string heading() {
    return fmt::format("{:>9}  {:<10}{:>10}{:>12}{:>12}{:>12}{:>12}{:>10}\n", "in flight", "", "cycles/s",
                       "p50 us", "p99 us", "CPU us", "commands", "failures");
}

std::string row(const load& plan, const char* side, const std::vector<sample>& samples) {
    std::uint64_t failed = 0;
    for (const auto& s : samples)
        failed += s.failures;
    return fmt::format(
        "{:>9}  {:<10}{:>10.0f}{:>12.1f}{:>12.1f}{:>12.2f}{:>12.2f}{:>10}\n", plan.in_flight, side,
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

std::string first_failure(const load& plan, std::initializer_list<const std::vector<sample>*> sides) {
    for (const auto* side : sides)
        for (const auto& s : *side)
            if (s.failures > 0) return fmt::format("at {} in flight: {}\n", plan.in_flight, s.first_failure);
    return {};
}

std::string verdicts(const std::vector<check>& checks) {
    std::string text;
    for (const auto& c : checks)
        text += fmt::format("{:<6}{}: {:.4g} ({} {:.4g})\n", c.passed() ? "ok" : "FAIL", c.name, c.value,
                            c.at_least ? "at least" : "at most", c.limit);
    return text;
}

} // namespace

std::string table(const findings& f) {
    std::string text = heading();
    for (const auto& c : f.comparisons) {
        text += row(c.plan, "library", c.library);
        text += row(c.plan, "wire floor", c.floor);
        text += ratios("to floor", c.library, c.floor);
        text += row(c.plan, "fenced", c.fenced);
        text += ratios("to library", c.fenced, c.library) + '\n';
    }
    for (const auto& c : f.comparisons)
        text += first_failure(c.plan, {&c.library, &c.fenced});
    return text + verdicts(checks_of(f));
}

std::string table(const std::vector<tls_comparison>& all) {
    std::string text = heading();
    for (const auto& c : all) {
        text += row(c.plan, "plain", c.plain);
        text += row(c.plan, "TLS", c.tls);
        text += ratios("to plain", c.tls, c.plain) + '\n';
    }
    for (const auto& c : all)
        text += first_failure(c.plan, {&c.plain, &c.tls});
    return text + verdicts(checks_of(all));
}

const char* name_of(kind k) noexcept {
    switch (k) {
    case kind::exclusive:
        return "exclusive";
    case kind::read:
        return "read";
    case kind::write:
        return "write";
    case kind::entered_again:
        return "again";
    case kind::permit:
        return "permit";
    case kind::set_of_one:
        return "set of 1";
    case kind::set_of_four:
        return "set of 4";
    case kind::lead:
        return "lead";
    default:
        return "kept";
    }
}

std::string table(const std::vector<kinds_comparison>& all) {
    std::string text = heading();
    for (const auto& c : all) {
        for (const kind k : kinds) {
            text += row(c.plan, name_of(k), c.of(k));
            if (k != kind::exclusive) text += ratios("to excl.", c.of(k), c.beside(k));
        }
        text += '\n';
    }
    for (const auto& c : all)
        for (const kind k : kinds)
            text += first_failure(c.plan, {&c.of(k)});
    return text + verdicts(checks_of(all));
}

} // namespace bench
