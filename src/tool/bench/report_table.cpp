#include "../exit_status.hpp"
#include "../terminal.hpp"
#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool {
namespace {

std::string counts_table(const bench_report& report, bool colour) {
    std::string text =
        paint(colour, style::quiet, fmt::format("{:<26}{:>14}{:>14}", "", "all", "a second")) + '\n';
    for (const auto& field : count_fields) {
        const std::uint64_t number = report.counts.*field.value;
        if (number == 0 && field.value != &bench_counts::grants) continue;
        const auto row =
            fmt::format("{:<26}{:>14}{:>14.1f}", field.meaning, number, report.per_second(number));
        const bool bad = field.value != &bench_counts::grants && field.value != &bench_counts::cut_off;
        text += (bad ? paint(colour, style::doubtful, row) : row) + '\n';
    }
    return text;
}

std::string latency_row(const char* name, const latency_counts& latency) {
    std::string row = fmt::format("{:<26}", name);
    for (const double percent : {50.0, 90.0, 99.0, 99.9})
        row += fmt::format("{:>11}", length_text(latency.percentile(percent)));
    return row + fmt::format("{:>11}{:>11}\n", length_text(latency.max()), length_text(latency.mean()));
}

std::string latency_table(const bench_report& report, bool colour) {
    std::string text = paint(colour, style::quiet,
                             fmt::format("{:<26}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}", "time to the grant",
                                         "p50", "p90", "p99", "p99.9", "longest", "mean")) +
                       '\n';
    if (report.plan.rate <= 0) return text + latency_row("from the call", report.latency);
    return text + latency_row("from the intended start", report.latency) +
           latency_row("from the call", report.service);
}

std::string node_table(const bench_report& report, bool colour) {
    std::size_t width = 4;
    for (const auto& n : report.nodes)
        width = std::max(width, n.address.size());
    std::string text = paint(colour, style::quiet,
                             fmt::format("{:<{}}  {:>7}  {:>11}  {:>12}  {:>9}  {:>11}", "node", width, "up",
                                         "round trip", "commands", "timeouts", "disconnects")) +
                       '\n';
    for (const auto& n : report.nodes) {
        const auto row =
            fmt::format("{:<{}}  {:>6.1f}%  {:>11}  {:>12}  {:>9}  {:>11}", n.address, width, 100 * n.up,
                        length_text(n.round_trip), n.commands, n.timeouts, n.disconnects);
        text += (n.up < 1 ? paint(colour, style::bad, row) : row) + '\n';
    }
    return text;
}

} // namespace

std::string table_of(const bench_report& report, bool colour) {
    std::string text = paint(colour, style::heading, text_of(report.plan)) + '\n';
    text += fmt::format("{:.1f} s{}\n\n", report.seconds, report.signal == 0 ? "" : ", interrupted");
    text += counts_table(report, colour) + '\n' + latency_table(report, colour) + '\n' +
            node_table(report, colour);
    for (const auto& fault : report.faults)
        text += paint(colour, style::bad, fault) + '\n';
    return text;
}

} // namespace redlock::tool
