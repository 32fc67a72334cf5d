#include "bench/chart/chart.hpp"

#include "bench/chart/axis.hpp"
#include "bench/chart/svg.hpp"
#include "bench/report/figure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace redlock::tool {
namespace {

constexpr double width = 860, height = 240, left = 70, right = width - 36, top = 14, below = 34;
constexpr double bottom = height - below;

std::string opened(double tall, std::string_view title) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width, tall,
                       svg::escaped(title));
}

/// A multiple of a round step.
std::string axis_text(double value) {
    return value >= 1000 ? number_text(static_cast<std::uint64_t>(std::llround(value)))
                         : fmt::format("{:g}", value);
}

std::string value_marks(const axis& up, double most, std::string_view unit) {
    std::string text;
    for (const double value : round_marks(most, 6))
        text += svg::rule(left, up.place(value), right, up.place(value)) +
                svg::text(left - 6, up.place(value) + 4, "end", axis_text(value));
    return text + svg::text(left, top - 3, "start", unit);
}

std::string time_marks(const axis& across, double end, double above) {
    std::string text;
    for (const double time : round_marks(end, 8))
        text += svg::text(across.place(time), above + 16, "middle", axis_text(time) + (time > 0 ? "" : " s"));
    return text;
}

double end_of(const std::vector<chart_step>& steps, double so_far) {
    return steps.empty() ? so_far : std::max(so_far, steps.back().end);
}

/// Whoever points at a column of the chart is shown what is there.
std::string touched(double begin, double end, std::string_view note) {
    return svg::box("touch", begin, top, end - begin, bottom - top, note);
}

std::string drawn(const chart_line& line, const axis& across, const axis& up) {
    svg::points along;
    std::string touches;
    for (const auto& s : line.steps) {
        along.emplace_back(across.place(s.begin), up.place(s.value));
        along.emplace_back(across.place(s.end), up.place(s.value));
        touches += touched(across.place(s.begin), across.place(s.end), s.note);
    }
    return svg::line(line.style, along) + touches;
}

double nines_of(double part) { return -std::log10(1 - part); }

} // namespace

std::string line_chart(const std::vector<chart_line>& lines, std::string_view unit) {
    double end = 1e-3;
    double most = 0;
    std::string names;
    for (const auto& line : lines) {
        end = end_of(line.steps, end);
        names += (names.empty() ? "" : ", ") + line.name;
        for (const auto& s : line.steps)
            most = std::max(most, s.value);
    }
    most = most > 0 ? most * 1.05 : 1;
    const axis across(axis::scale::linear, 0, end, left, right),
        up(axis::scale::linear, 0, most, bottom, top);
    std::string text =
        opened(height, names + " over time") + value_marks(up, most, unit) + time_marks(across, end, bottom);
    for (const auto& line : lines)
        text += drawn(line, across, up);
    return text + "</svg>\n";
}

std::string percentile_chart(const std::vector<chart_distribution>& all) {
    std::string text = opened(height, "Time that a part did not exceed");
    double least = 0, most = 0, nines = 1;
    for (const auto& d : all)
        for (const auto& p : d.points) {
            least = least > 0 ? std::min(least, p.milliseconds) : p.milliseconds;
            most = std::max(most, p.milliseconds);
            nines = std::max(nines, nines_of(p.part));
        }
    if (most <= 0) return text + "</svg>\n";
    const std::vector<double> powers = decades(least, most);
    const axis up(axis::scale::logarithmic, powers.front(), powers.back(), bottom, top);
    const axis across(axis::scale::linear, 0, nines, left, right);
    for (const double value : powers)
        text += svg::rule(left, up.place(value), right, up.place(value)) +
                svg::text(left - 6, up.place(value) + 4, "end",
                          length_text(std::chrono::nanoseconds(std::llround(value * 1e6))));
    text += svg::text(left, top - 3, "start", "logarithmic scale of time");
    for (const char* const percent : {"0", "50", "90", "99", "99.9", "99.99", "99.999", "99.9999"})
        if (const double at = nines_of(std::stod(percent) / 100); at <= nines * 1.0001)
            text += svg::rule(across.place(at), top, across.place(at), bottom) +
                    svg::text(across.place(at), bottom + 16, "middle", fmt::format("{} %", percent));
    for (const auto& d : all) {
        svg::points along;
        for (const auto& p : d.points)
            along.emplace_back(across.place(nines_of(p.part)), up.place(p.milliseconds));
        text += svg::line(d.style, along);
        for (std::size_t i = 0; i + 1 < along.size(); ++i)
            text += touched(along[i].first, along[i + 1].first, d.points[i].note);
    }
    return text + "</svg>\n";
}

std::string strip_chart(const std::vector<chart_strip>& strips) {
    constexpr double row = 34, tall = 14;
    double end = 1e-3;
    for (const auto& s : strips)
        end = end_of(s.steps, end);
    const axis across(axis::scale::linear, 0, end, left, right);
    const double all = row * static_cast<double>(strips.size());
    std::string text = opened(all + below, "Nodes over time");
    double y = 0;
    for (const auto& s : strips) {
        text += svg::text(left, y + 13, "start", s.name);
        for (std::size_t i = 0; i < s.steps.size(); ++i) {
            const double x = across.place(s.steps[i].begin);
            const double high = tall * std::clamp(s.steps[i].value, 0.25, 1.0);
            text += svg::box(s.styles.at(i), x, y + 18 + tall - high, across.place(s.steps[i].end) - x, high,
                             s.steps[i].note);
        }
        y += row;
    }
    return text + time_marks(across, end, all) + "</svg>\n";
}

} // namespace redlock::tool
