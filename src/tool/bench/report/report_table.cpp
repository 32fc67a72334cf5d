#include "bench/report/bench_report.hpp"
#include "cli/exit_status.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <fmt/format.h>

namespace redlock::tool {
namespace {

using side = text_table::side;

std::string counts_table(const bench_report& report, const reader& where) {
    text_table table({{"attempts"}, {"all", side::right}, {"a second", side::right}});
    for (const auto& field : count_fields) {
        const std::uint64_t number = report.counts.*field.value;
        if (number == 0 && field.value != &bench_counts::grants) continue;
        const bool bad = field.value != &bench_counts::grants && field.value != &bench_counts::cut_off;
        table.add({field.meaning, number_text(number), rate_text(report.per_second(number))},
                  bad ? &style::doubtful : nullptr);
    }
    return table.text(where);
}

std::string latency_table(const bench_report& report, const reader& where) {
    text_table table({{"time to the grant"},
                      {"p50", side::right},
                      {"p90", side::right},
                      {"p99", side::right},
                      {"p99.9", side::right},
                      {"longest", side::right},
                      {"mean", side::right}});
    if (report.plan.rate > 0) table.add(latency_row("from the intended start", report.latency));
    table.add(latency_row("from the call", report.plan.rate > 0 ? report.service : report.latency));
    return table.text(where);
}

std::string node_table(const bench_report& report, const reader& where) {
    text_table table({{"node"},
                      {"up", side::right},
                      {"round trip", side::right},
                      {"commands", side::right},
                      {"timeouts", side::right},
                      {"disconnects", side::right}});
    for (const auto& n : report.nodes)
        table.add({printable(n.address), percent_text(n.up), length_text(n.round_trip),
                   number_text(n.commands), number_text(n.timeouts), number_text(n.disconnects)},
                  n.up < 1 ? &style::bad : nullptr);
    return table.text(where);
}

} // namespace

std::string table_of(const bench_report& report, const reader& where) {
    std::string text =
        paint(where.colour, style::heading, wrapped(text_of(report.plan), where.width, 0, 2)) + '\n';
    text += fmt::format("{:.1f} s{}\n\n", report.seconds, report.signal == 0 ? "" : ", interrupted");
    text +=
        counts_table(report, where) + '\n' + latency_table(report, where) + '\n' + node_table(report, where);
    for (const auto& fault : report.faults)
        text += paint(where.colour, style::bad, wrapped(printable(fault), where.width, 0, 2)) + '\n';
    return text;
}

} // namespace redlock::tool
