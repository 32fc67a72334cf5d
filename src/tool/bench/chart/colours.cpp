#include "bench/chart/colours.hpp"

#include <fmt/format.h>

#include <array>

namespace redlock::tool {
namespace {

struct palette {
    const char* ink;
    const char* quiet;
    const char* paper;
    const char* rule;
    const char* other;
    const char* good;
    const char* some;
    const char* bad;
    std::array<const char*, line_colours> lines;
};

constexpr palette light{
    .ink = "#1c2024",
    .quiet = "#57606a",
    .paper = "#fdfdfc",
    .rule = "#d8dde2",
    .other = "#8c959f",
    .good = "#2e8b57",
    .some = "#d9a300",
    .bad = "#c62828",
    .lines = {"#0072b2", "#c44500", "#007a5a", "#b0508c", "#b36b00", "#5a4fcf"},
};
constexpr palette dark{
    .ink = "#e6e9ec",
    .quiet = "#9aa5b1",
    .paper = "#15181b",
    .rule = "#343b42",
    .other = "#7d8791",
    .good = "#57c785",
    .some = "#e8c547",
    .bad = "#ef6b6b",
    .lines = {"#58a6ff", "#ff8a57", "#3fc79a", "#e08cc0", "#e3a33b", "#a79bff"},
};

std::string variables(const char* element, const palette& p) {
    std::string text = fmt::format("{} {{ --ink: {}; --quiet: {}; --paper: {}; --rule: {}; --other: {}; "
                                   "--good: {}; --some: {}; --bad: {};",
                                   element, p.ink, p.quiet, p.paper, p.rule, p.other, p.good, p.some, p.bad);
    for (std::size_t i = 0; i < p.lines.size(); ++i)
        text += fmt::format(" --line-{}: {};", i, p.lines[i]);
    return text + " }\n";
}

} // namespace

std::string colours_of(const char* element) {
    std::string text = variables(element, light) + "@media (prefers-color-scheme: dark) {\n" +
                       variables(element, dark) + "}\n";
    text += ".rule { stroke: var(--rule); stroke-width: 1; }\n.line { fill: none; stroke-width: 2; }\n";
    for (std::size_t i = 0; i < line_colours; ++i)
        text += fmt::format(
            ".line-{0} {{ stroke: var(--line-{0}); }} .dot-{0} {{ fill: var(--line-{0}); }}\n", i);
    return text;
}

} // namespace redlock::tool
