#include "doctor_report.hpp"

#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace redlock::tool {
namespace {

using row = std::array<std::string, 8>;

const row titles{"node",          "role",   "server", "round trip", "clock", "after a restart",
                 "out of memory", "wake-up"};

std::string server_of(const node_examination& node) {
    if (node.version.empty()) return "unknown";
    return node.product.empty() ? node.version : fmt::format("{} {}", node.product, node.version);
}

std::string clock_of(const node_examination& node) {
    if (!node.clock) return "unknown";
    const auto size = std::chrono::abs(node.clock->ahead);
    if (size <= node.clock->uncertainty) return fmt::format("+-{}", readable(node.clock->uncertainty));
    return fmt::format("{}{}", node.clock->ahead.count() < 0 ? "-" : "+", readable(size));
}

std::string memory_of(const node_examination& node) {
    if (!node.append_only) return "unknown";
    if (*node.append_only) return node.append_fsync.empty() ? "log" : "log, fsync " + node.append_fsync;
    if (!node.snapshots) return "no log";
    return *node.snapshots ? "snapshot" : "nothing";
}

std::string eviction_of(const node_examination& node) {
    if (node.memory_is_limited && !*node.memory_is_limited) return "no limit";
    return node.eviction_policy.empty() ? "unknown" : node.eviction_policy;
}

std::string wakeup_of(const node_examination& node) {
    switch (node.wakeup) {
    case wakeup::keyspace_events:
        return "events";
    case wakeup::client_tracking:
        return "tracking";
    case wakeup::timed:
        return "timed";
    case wakeup::automatic:
        break;
    }
    return "unknown";
}

row row_of(const node_examination& node) {
    if (node.error && node.run_id.empty()) return {node.node, node.error.message()};
    return {node.node,         node.role.empty() ? "unknown" : node.role,
            server_of(node),   node.median_round_trip ? readable(*node.median_round_trip) : "unknown",
            clock_of(node),    memory_of(node),
            eviction_of(node), wakeup_of(node)};
}

std::string line_of(const row& cells, const std::array<std::size_t, std::tuple_size_v<row>>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        // What is said in place of all other cells makes none of them wider.
        line += fmt::format("{:<{}}  ", cells[i], i == 1 && cells[2].empty() ? 0 : widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string table_of(const std::vector<node_examination>& nodes, bool colour) {
    std::vector<row> rows{titles};
    for (const auto& node : nodes)
        rows.push_back(row_of(node));
    std::array<std::size_t, std::tuple_size_v<row>> widths{};
    for (const row& cells : rows)
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (i != 1 || !cells[2].empty()) widths[i] = std::max(widths[i], cells[i].size());
    std::string text = paint(colour, style::quiet, line_of(rows.front(), widths)) + '\n';
    for (std::size_t i = 1; i < rows.size(); ++i)
        text += line_of(rows[i], widths) + '\n';
    return text;
}

const fmt::text_style& style_of(severity weight) noexcept {
    switch (weight) {
    case severity::fault:
        return style::bad;
    case severity::warning:
        return style::doubtful;
    case severity::note:
        break;
    }
    return style::quiet;
}

std::string text_of(const finding& f, const std::vector<node_examination>& nodes, bool colour) {
    std::string text = '\n' + paint(colour, style_of(f.weight), word_of(f.weight)) + "  ";
    const bool everywhere = f.nodes.size() == nodes.size() && nodes.size() > 1;
    if (everywhere) text += "all nodes";
    for (std::size_t i = 0; i < f.nodes.size() && !everywhere; ++i)
        text += (i == 0 ? "" : ", ") + nodes[f.nodes[i]].node;
    if (!f.nodes.empty()) text += "\n  ";
    text += f.text + '\n';
    if (!f.advice.empty()) text += fmt::format("  -> {}\n", f.advice);
    return text;
}

} // namespace

std::string table_of(const std::vector<node_examination>& nodes, const std::vector<finding>& found,
                     bool colour) {
    std::string text = table_of(nodes, colour);
    for (const finding& f : found)
        text += text_of(f, nodes, colour);
    const bool fit = is_fit(found);
    text +=
        '\n' + paint(colour, fit ? style::good : style::bad,
                     fit ? "These nodes are fit to hold locks." : "These nodes are not fit to hold locks.");
    return text + '\n';
}

} // namespace redlock::tool
