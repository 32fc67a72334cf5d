#include "bench/chart/plot.hpp"

#include "bench/chart/colours.hpp"
#include "bench/chart/svg.hpp"
#include "bench/report/figure_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::tool {
namespace {

constexpr double sheet_width = 640, first_row = 62;

axis scale_of(const plot_axis& of, double begin, double end) {
    return {of.logarithmic ? axis::scale::logarithmic : axis::scale::linear, of.low, of.high, begin, end};
}

std::string named(const plot_axis& of) {
    return of.logarithmic ? of.label + " (logarithmic scale)" : of.label;
}

std::string framed(const plot& p, double height, const std::string& inside) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
                       "<title>{2}: {3}</title>\n<style>\n{4}"
                       "text {{ font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: var(--quiet); }}\n"
                       ".page {{ fill: var(--paper); }} .other {{ fill: var(--other); }} "
                       ".ink {{ fill: var(--ink); }}\n"
                       ".title {{ fill: var(--ink); font-size: 14px; font-weight: bold; }}\n"
                       ".figure {{ fill: var(--ink); stroke: var(--paper); stroke-width: 4; "
                       "stroke-linejoin: round; paint-order:stroke; }}\n"
                       "</style>\n<rect class=\"page\" width=\"{0}\" height=\"{1}\" rx=\"6\"/>\n",
                       sheet_width, height, svg::escaped(p.title), svg::escaped(p.subtitle),
                       colours_of("svg")) +
           svg::text(16, 24, "start", p.title, "title") + svg::text(16, 42, "start", p.subtitle) + inside +
           "</svg>\n";
}

std::string with_curves(const plot& p) {
    constexpr double left = 64, right = 616, bottom = 282;
    constexpr double key_top = bottom + 62, key_column = 280, key_row = 20;
    constexpr std::size_t few_points = 8;
    const axis x = scale_of(p.across, left, right), y = scale_of(p.up, bottom, first_row);
    std::string text;
    for (const axis_mark& m : p.across.marks)
        text += svg::rule(x.place(m.value), first_row, x.place(m.value), bottom) +
                svg::text(x.place(m.value), bottom + 17, "middle", m.text);
    for (const axis_mark& m : p.up.marks)
        text += svg::rule(left, y.place(m.value), right, y.place(m.value)) +
                svg::text(left - 8, y.place(m.value) + 4, "end", m.text);
    text += svg::text((left + right) / 2, bottom + 36, "middle", named(p.across));
    for (std::size_t i = 0; i < p.curves.size(); ++i) {
        const plot_curve& curve = p.curves[i];
        const std::string colour = std::to_string(i % line_colours);
        svg::points placed;
        for (const auto& [along, above] : curve.points)
            placed.emplace_back(x.place(along), y.place(above));
        if (placed.size() > 1) text += svg::line("line-" + colour, placed);
        if (placed.size() <= few_points)
            for (const auto& [px, py] : placed)
                text += svg::dot("dot-" + colour, px, py);
        // Below the curves, where it hides none of them.
        const double key_x = left + key_column * static_cast<double>(i % 2);
        const double key_y = key_top + key_row * static_cast<double>(i / 2);
        text += svg::line("line-" + colour, {{key_x, key_y - 4}, {key_x + 22, key_y - 4}}) +
                svg::dot("dot-" + colour, key_x + 11, key_y - 4) +
                svg::text(key_x + 30, key_y, "start", curve.name, "ink");
    }
    const auto rows = static_cast<double>((p.curves.size() + 1) / 2);
    return framed(p, key_top + key_row * (rows - 1) + 16, text);
}

std::string with_bars(const plot& p) {
    constexpr double left = 190, right = sheet_width - 70, row = 26;
    const double bottom = first_row + row * static_cast<double>(p.bars.size());
    const axis x = scale_of(p.across, left, right);
    std::string text;
    for (const axis_mark& m : p.across.marks)
        text += svg::rule(x.place(m.value), first_row - 4, x.place(m.value), bottom) +
                svg::text(x.place(m.value), bottom + 16, "middle", m.text);
    text += svg::text((left + right) / 2, bottom + 36, "middle", named(p.across));
    for (std::size_t i = 0; i < p.bars.size(); ++i) {
        const plot_bar& bar = p.bars[i];
        const double y = first_row + row * static_cast<double>(i);
        text += svg::text(left - 8, y + 14, "end", bar.name, "ink") +
                svg::box(i == 0 ? "dot-0" : "other", left, y + 1, x.place(bar.value) - left, row - 8) +
                svg::text(x.place(bar.value) + 6, y + 14, "start", rate_text(bar.value), "ink figure");
    }
    return framed(p, bottom + 48, text);
}

} // namespace

// The shortest bar is long enough to be seen.
plot_axis decades_of(const std::vector<plot_bar>& bars, std::string label) {
    const auto [least, most] = std::ranges::minmax(bars, {}, &plot_bar::value);
    const std::vector<double> powers = decades(least.value / 2, most.value);
    plot_axis a{.label = std::move(label), .logarithmic = true, .low = powers.front(), .high = powers.back()};
    for (const double power : powers)
        a.marks.push_back({power, rate_text(power)});
    return a;
}

std::string drawing_of(const plot& p) { return p.curves.empty() ? with_bars(p) : with_curves(p); }

} // namespace redlock::tool
