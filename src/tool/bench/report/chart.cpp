#include "bench/report/chart.hpp"

#include "bench/report/figure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace redlock::tool {
namespace {

constexpr double width = 860, height = 240, left = 70, right = 36, top = 14, bottom = 34;
constexpr double inner_width = width - left - right, inner_height = height - top - bottom;

std::string opened(double tall, std::string_view title) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width, tall,
                       escaped(title));
}

/// 1, 2 or 5 times a power of ten, so that about `parts` of it make `whole`.
double round_step(double whole, double parts) {
    const double raw = std::max(whole, 1e-9) / parts;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double times : {1.0, 2.0, 5.0})
        if (raw <= times * power) return times * power;
    return 10 * power;
}

/// A multiple of a round step.
std::string axis_text(double value) {
    return value >= 1000 ? number_text(static_cast<std::uint64_t>(std::llround(value)))
                         : fmt::format("{:g}", value);
}

std::string label(double x, double y, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                       escaped(text));
}

std::string rule(double x1, double y1, double x2, double y2) {
    return fmt::format("<line class=\"rule\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1,
                       y1, x2, y2);
}

std::string box(std::string_view style, double x, double y, double wide, double tall, std::string_view note) {
    return fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\">"
                       "<title>{}</title></rect>\n",
                       escaped(style), x, y, std::max(wide, 0.5), tall, escaped(note));
}

std::string value_axis(double most, std::string_view unit) {
    std::string text;
    const double step = round_step(most, 6);
    for (int i = 0; i * step <= most * 1.0001; ++i) {
        const double y = top + inner_height * (1 - i * step / most);
        text += rule(left, y, width - right, y) + label(left - 6, y + 4, "end", axis_text(i * step));
    }
    return text + label(left, top - 3, "start", unit);
}

std::string time_axis(double end, double below) {
    std::string text;
    const double step = round_step(end, 8);
    for (int i = 0; i * step <= end * 1.0001; ++i)
        text += label(left + inner_width * i * step / end, below + 16, "middle",
                      axis_text(i * step) + (i == 0 ? " s" : ""));
    return text;
}

double place(double time, double end) { return left + inner_width * std::clamp(time / end, 0.0, 1.0); }

double end_of(const std::vector<chart_step>& steps, double so_far) {
    return steps.empty() ? so_far : std::max(so_far, steps.back().end);
}

std::string drawn(const chart_line& line, double end, double most) {
    std::string points;
    for (const auto& s : line.steps) {
        const double y = top + inner_height * (1 - s.value / most);
        points += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", place(s.begin, end), y, place(s.end, end), y);
    }
    std::string text =
        fmt::format("<polyline class=\"line {}\" points=\"{}\"/>\n", escaped(line.style), points);
    for (const auto& s : line.steps)
        text += box("touch", place(s.begin, end), top, place(s.end, end) - place(s.begin, end), inner_height,
                    s.note);
    return text;
}

} // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return result;
}

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
    std::string text =
        opened(height, names + " over time") + value_axis(most, unit) + time_axis(end, height - bottom);
    for (const auto& line : lines)
        text += drawn(line, end, most);
    return text + "</svg>\n";
}

std::string percentile_chart(const std::vector<chart_distribution>& all) {
    std::string text = opened(height, "Time that a part did not exceed");
    double least = 0, most = 0, nines = 1;
    const auto nines_of = [](double part) { return -std::log10(1 - part); };
    for (const auto& d : all)
        for (const auto& p : d.points) {
            least = least > 0 ? std::min(least, p.milliseconds) : p.milliseconds;
            most = std::max(most, p.milliseconds);
            nines = std::max(nines, nines_of(p.part));
        }
    if (most <= 0) return text + "</svg>\n";
    const double low = std::floor(std::log10(least));
    const double high = std::max(low + 1, std::ceil(std::log10(most)));
    const auto x_of = [&](double part) { return left + inner_width * nines_of(part) / nines; };
    const auto y_of = [&](double milliseconds) {
        return top + inner_height * (high - std::log10(milliseconds)) / (high - low);
    };
    for (double power = low; power <= high; ++power) {
        const double value = std::pow(10, power);
        text += rule(left, y_of(value), width - right, y_of(value)) +
                label(left - 6, y_of(value) + 4, "end",
                      length_text(std::chrono::nanoseconds(std::llround(value * 1e6))));
    }
    text += label(left, top - 3, "start", "logarithmic scale of time");
    for (const char* const percent : {"0", "50", "90", "99", "99.9", "99.99", "99.999", "99.9999"})
        if (const double part = std::stod(percent) / 100; nines_of(part) <= nines * 1.0001)
            text += rule(x_of(part), top, x_of(part), height - bottom) +
                    label(x_of(part), height - bottom + 16, "middle", fmt::format("{} %", percent));
    for (const auto& d : all) {
        std::string points;
        for (const auto& p : d.points)
            points += fmt::format("{:.1f},{:.1f} ", x_of(p.part), y_of(p.milliseconds));
        text += fmt::format("<polyline class=\"line {}\" points=\"{}\"/>\n", escaped(d.style), points);
        for (std::size_t i = 0; i + 1 < d.points.size(); ++i)
            text += box("touch", x_of(d.points[i].part), top,
                        x_of(d.points[i + 1].part) - x_of(d.points[i].part), inner_height, d.points[i].note);
    }
    return text + "</svg>\n";
}

std::string strip_chart(const std::vector<chart_strip>& strips) {
    constexpr double row = 34, tall = 14;
    double end = 1e-3;
    for (const auto& s : strips)
        end = end_of(s.steps, end);
    const double all = row * static_cast<double>(strips.size());
    std::string text = opened(all + bottom, "Nodes over time");
    double y = 0;
    for (const auto& s : strips) {
        text += label(left, y + 13, "start", s.name);
        for (std::size_t i = 0; i < s.steps.size(); ++i) {
            const double x = place(s.steps[i].begin, end);
            const double high = tall * std::clamp(s.steps[i].value, 0.25, 1.0);
            text += box(s.styles.at(i), x, y + 18 + tall - high, place(s.steps[i].end, end) - x, high,
                        s.steps[i].note);
        }
        y += row;
    }
    return text + time_axis(end, all) + "</svg>\n";
}

} // namespace redlock::tool
