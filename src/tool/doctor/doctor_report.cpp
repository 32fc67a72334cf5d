#include "doctor/doctor_report.hpp"

#include "cli/option_words.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::tool {
namespace {

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

std::vector<std::string> row_of(const node_examination& node) {
    if (node.error && node.run_id.empty()) return {node.node, in_options(node.error.message())};
    return {node.node,         node.role.empty() ? "unknown" : node.role,
            server_of(node),   node.median_round_trip ? readable(*node.median_round_trip) : "unknown",
            clock_of(node),    memory_of(node),
            eviction_of(node), wakeup_of(node)};
}

std::string table_of(const std::vector<node_examination>& nodes, const reader& where) {
    text_table table({{"node"},
                      {"role"},
                      {"server"},
                      {"round trip"},
                      {"clock"},
                      {"after a restart"},
                      {"out of memory"},
                      {"wake-up"}});
    for (const auto& node : nodes) {
        std::vector<std::string> cells = row_of(node);
        for (std::string& cell : cells)
            cell = printable(cell);
        table.add(std::move(cells));
    }
    return table.text(where);
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

std::string text_of(const finding& f, const std::vector<node_examination>& nodes, const reader& where) {
    constexpr std::size_t indent = 2, hanging = 5;
    const std::string weight = word_of(f.weight);
    std::string text = '\n' + paint(where.colour, style_of(f.weight), weight) + "  ";
    const bool everywhere = f.nodes.size() == nodes.size() && nodes.size() > 1;
    std::string about = everywhere ? "all nodes" : "";
    for (std::size_t i = 0; i < f.nodes.size() && !everywhere; ++i)
        about += (i == 0 ? "" : ", ") + nodes[f.nodes[i]].node;
    std::size_t begun = weight.size() + indent;
    if (!about.empty()) {
        text += wrapped(printable(about), where.width, begun, indent) + "\n  ";
        begun = indent;
    }
    text += wrapped(printable(f.text), where.width, begun, indent) + '\n';
    if (!f.advice.empty())
        text += "  -> " + wrapped(printable(f.advice), where.width, hanging, hanging) + '\n';
    return text;
}

} // namespace

std::string table_of(const std::vector<node_examination>& nodes, const std::vector<finding>& found,
                     const reader& where) {
    std::string text = table_of(nodes, where);
    for (const finding& f : found)
        text += text_of(f, nodes, where);
    const bool fit = is_fit(found);
    text +=
        '\n' + paint(where.colour, fit ? style::good : style::bad,
                     fit ? "These nodes are fit to hold locks." : "These nodes are not fit to hold locks.");
    return text + '\n';
}

} // namespace redlock::tool
