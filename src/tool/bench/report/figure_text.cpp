#include "bench/report/figure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace redlock::tool {
namespace {

/// Three digits, without zeros at the end behind the point; `value` is below 1000.
std::string three_digits(double value) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals == 0) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

} // namespace

std::string number_text(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

std::string rate_text(double rate) {
    if (rate >= 99.95) return number_text(static_cast<std::uint64_t>(std::llround(rate)));
    return three_digits(rate);
}

std::string percent_text(double part) {
    const double shown = part >= 1 ? 100 : std::min(100 * part, 99.9);
    return fmt::format("{:.1f} %", shown);
}

std::string length_text(std::chrono::nanoseconds time) {
    struct unit {
        double size;
        const char* name;
    };
    constexpr std::array units{unit{1, "ns"}, unit{1e3, "µs"}, unit{1e6, "ms"}};
    if (time.count() == 0) return "-";
    const auto size = static_cast<double>(time.count());
    for (const auto& u : units)
        // What would be rounded up to a thousand is one of the next unit.
        if (size / u.size < 999.5) return fmt::format("{} {}", three_digits(size / u.size), u.name);
    return fmt::format("{} s", rate_text(size / 1e9));
}

std::vector<std::string> latency_row(const char* name, const latency_counts& latency) {
    std::vector<std::string> row{name};
    for (const double percent : {50.0, 90.0, 99.0, 99.9})
        row.push_back(length_text(latency.percentile(percent)));
    row.push_back(length_text(latency.max()));
    row.push_back(length_text(latency.mean()));
    return row;
}

} // namespace redlock::tool
