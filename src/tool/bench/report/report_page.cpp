#include "bench/report/report_page.hpp"

#include "bench/chart/chart.hpp"
#include "bench/chart/colours.hpp"
#include "bench/chart/svg.hpp"

#include <redlock/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace redlock::tool {
namespace {

using svg::escaped;

constexpr const char* style_sheet = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 900px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin: 1.8em 0 .4em; } h3 { font-size: 1em; font-weight: normal; }
table { border-collapse: collapse; }
th, td { padding: .15em .8em .15em 0; text-align: right; vertical-align: top; white-space: nowrap; }
th { color: var(--quiet); font-weight: normal; } th:first-child, td:first-child { text-align: left; }
.origin { margin-bottom: 1em; } .origin td { text-align: left; white-space: normal; }
.word { display: inline-block; overflow-wrap: anywhere; }
.nodes td:first-child { min-width: 13em; white-space: normal; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } .quiet { color: var(--quiet); } .fault { color: var(--bad); }
svg { width: 100%; min-width: 620px; height: auto; } svg text { fill: var(--quiet); font-size: 12px; }
.key-one { color: var(--line-0); } .key-two { color: var(--line-1); }
.touch { fill: transparent; } .touch:hover { fill: var(--rule); fill-opacity: .5; }
.up { fill: var(--good); } .partly { fill: var(--some); } .down { fill: var(--bad); } .unknown { fill: var(--rule); }
)";

std::string cells(const char* tag, const std::vector<std::string>& texts) {
    std::string row = "<tr>";
    for (const auto& text : texts)
        row += fmt::format("<{0}>{1}</{0}>", tag, escaped(text));
    return row + "</tr>\n";
}

std::string table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows,
                  const char* style = "figures") {
    std::string text = fmt::format("<div class=\"wide\"><table class=\"{}\">\n", style) + cells("th", titles);
    for (const auto& row : rows)
        text += cells("td", row);
    return text + "</table></div>\n";
}

/// On a narrow screen it scrolls, before its figures are too small to be read.
std::string charted(const std::string& chart) { return "<div class=\"wide\">" + chart + "</div>\n"; }

/// A line of a shell that breaks between its words, not at the hyphens of options.
std::string command_text(const std::string& line) {
    std::string text = "<code>";
    for (std::size_t begin = 0; begin <= line.size();) {
        const auto end = std::min(line.find(' ', begin), line.size());
        if (begin > 0) text += ' ';
        text += fmt::format("<span class=\"word\">{}</span>", escaped(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return text + "</code>";
}

std::string counts_part(const bench_report& report) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& field : count_fields) {
        const std::uint64_t number = report.counts.*field.value;
        if (number > 0 || field.value == &bench_counts::grants)
            rows.push_back({field.meaning, number_text(number), rate_text(report.per_second(number))});
    }
    return table({"Attempts", "all", "a second"}, rows);
}

/// As far as one grant of all can be seen in it, and not beyond six nines.
chart_distribution distribution_of(const latency_counts& latency, const char* style) {
    constexpr double points_of_a_nine = 40;
    chart_distribution all{.style = style};
    if (latency.count() == 0) return all;
    const double nines = std::clamp(std::log10(static_cast<double>(latency.count())), 1.0, 6.0);
    for (double i = 0; i <= nines * points_of_a_nine; ++i) {
        const double part = 1 - std::pow(10, -i / points_of_a_nine);
        const auto time = std::max(latency.percentile(100 * part), std::chrono::nanoseconds(1));
        all.points.push_back({part, static_cast<double>(time.count()) / 1e6,
                              fmt::format("{:.{}f} %: {}", 100 * part,
                                          part < 0.99     ? 0
                                          : part < 0.9999 ? 2
                                                          : 4,
                                          length_text(time))});
    }
    return all;
}

std::string latency_part(const bench_report& report) {
    const bool open = report.plan.rate > 0;
    std::vector<std::vector<std::string>> rows{
        latency_row(open ? "from the intended start" : "from the call", report.latency)};
    std::vector<chart_distribution> lines;
    std::string key;
    if (open) {
        rows.push_back(latency_row("from the call", report.service));
        lines.push_back(distribution_of(report.service, "line-1"));
        key = "<p class=\"quiet\"><span class=\"key-one\">&#9644;</span> from the intended start, "
              "<span class=\"key-two\">&#9644;</span> from the call</p>\n";
    }
    lines.push_back(distribution_of(report.latency, "line-0"));
    return "<h2>Time to the grant</h2>\n" +
           table({"", "p50", "p90", "p99", "p99.9", "longest", "mean"}, rows) + key +
           charted(percentile_chart(lines)) +
           "<p class=\"quiet\">To the right: the part of all grants that took no longer.</p>\n";
}

std::string throughput_part(const bench_report& report) {
    chart_line grants{.name = "Grants a second", .style = "line-0"};
    chart_line errors{.name = "Errors a second", .style = "line-1"};
    for (const auto& p : report.points) {
        const double granted = p.per_second(p.counts.grants);
        const double failed = p.per_second(p.counts.errors());
        const auto note =
            fmt::format("{:.1f} to {:.1f} s: {} grants/s, {} errors/s, p99 {}", p.begin, p.end,
                        rate_text(granted), rate_text(failed), length_text(p.latency.percentile(99)));
        grants.steps.push_back({p.begin, p.end, granted, note});
        errors.steps.push_back({p.begin, p.end, failed, note});
    }
    return "<h2>Throughput</h2>\n<p class=\"quiet\"><span class=\"key-one\">&#9644;</span> grants, "
           "<span class=\"key-two\">&#9644;</span> errors</p>\n" +
           charted(line_chart({errors, grants}, "a second"));
}

std::string progress_part(const bench_report& report) {
    chart_line half{.name = "p50", .style = "line-0"};
    chart_line most{.name = "p99", .style = "line-1"};
    for (const auto& p : report.points) {
        const auto p50 = p.latency.percentile(50);
        const auto p99 = p.latency.percentile(99);
        const auto note = fmt::format("{:.1f} to {:.1f} s: p50 {}, p99 {}", p.begin, p.end, length_text(p50),
                                      length_text(p99));
        half.steps.push_back({p.begin, p.end, static_cast<double>(p50.count()) / 1e6, note});
        most.steps.push_back({p.begin, p.end, static_cast<double>(p99.count()) / 1e6, note});
    }
    return "<h2>Time to the grant, as it went</h2>\n<p class=\"quiet\"><span "
           "class=\"key-one\">&#9644;</span> "
           "p50, <span class=\"key-two\">&#9644;</span> p99</p>\n" +
           charted(line_chart({half, most}, "ms"));
}

std::string style_of(const node_point& node) {
    if (node.processes == 0 && node.watched.count() == 0) return "unknown";
    if (node.always_up()) return "up";
    return node.part_up() > 0 ? "partly" : "down";
}

std::string nodes_part(const bench_report& report) {
    std::vector<std::vector<std::string>> rows;
    std::vector<chart_strip> strips;
    std::string trips;
    for (std::size_t i = 0; i < report.nodes.size(); ++i) {
        const auto& n = report.nodes[i];
        rows.push_back({n.address, n.server.empty() ? "unknown" : n.server, percent_text(n.up),
                        length_text(n.round_trip), number_text(n.commands), number_text(n.timeouts),
                        number_text(n.disconnects)});
        chart_strip strip{.name = n.address};
        chart_line trip{.name = "Round trip of " + n.address, .style = "line-0"};
        for (const auto& p : report.points) {
            if (i >= p.nodes.size()) continue;
            const auto& seen = p.nodes[i];
            const auto note = fmt::format("{:.1f} to {:.1f} s: up {}, round trip {}", p.begin, p.end,
                                          percent_text(seen.part_up()), length_text(seen.round_trip));
            strip.steps.push_back({p.begin, p.end, seen.part_up(), note});
            strip.styles.push_back(style_of(seen));
            trip.steps.push_back({p.begin, p.end, static_cast<double>(seen.round_trip.count()) / 1e6, note});
        }
        trips +=
            fmt::format("<h3>{}: round trip</h3>\n", escaped(n.address)) + charted(line_chart({trip}, "ms"));
        strips.push_back(std::move(strip));
    }
    return "<h2>Nodes</h2>\n" +
           table({"Node", "server", "up", "round trip", "commands", "timeouts", "disconnects"}, rows,
                 "nodes") +
           "<p class=\"quiet\">As high as the part of the time in which the node was up. A silent "
           "one counts as down from when it has left a command without an answer for the node "
           "timeout.</p>\n" +
           charted(strip_chart(strips)) + "<details><summary>Round trips over time</summary>\n" + trips +
           "</details>\n";
}

std::string origin_part(const bench_report& report) {
    const bench_origin& origin = report.origin;
    const auto row = [](const char* title, const std::string& text) {
        return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", title, text);
    };
    return "<div class=\"wide\"><table class=\"origin\">\n" + row("Begun", escaped(origin.begun)) +
           row("Load from", escaped(origin.host)) + row("Command", command_text(origin.command_line)) +
           row("Library", fmt::format("asio-redlock {}", version())) + "</table></div>\n";
}

} // namespace

std::string page_of(const bench_report& report) {
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<title>redlock bench</title>\n<style>";
    text += colours_of(":root") + style_sheet;
    text += fmt::format("</style>\n</head>\n<body>\n<h1>redlock bench: {} grants a second</h1>\n"
                        "<p>{}; {:.1f} s{}.</p>\n",
                        rate_text(report.per_second(report.counts.grants)), escaped(text_of(report.plan)),
                        report.seconds, report.signal == 0 ? "" : ", interrupted");
    for (const auto& fault : report.faults)
        text += fmt::format("<p class=\"fault\">{}</p>\n", escaped(fault));
    return text + origin_part(report) + counts_part(report) + latency_part(report) + throughput_part(report) +
           progress_part(report) + nodes_part(report) + "</body>\n</html>\n";
}

} // namespace redlock::tool
