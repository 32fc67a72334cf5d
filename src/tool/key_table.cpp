#include "key_table.hpp"

#include "terminal.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool {
namespace {

std::string time_left(const node_key_report& node) {
    if (!node.value) return "";
    return node.remaining ? fmt::format("{} ms", node.remaining->count()) : "never expires";
}

std::string number_or_dash(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "-";
}

std::string value_of(const node_key_report& node) { return node.value ? harmless(*node.value) : "-"; }

std::string row_of(const node_key_report& node, std::size_t address, std::size_t value) {
    if (node.error) return fmt::format("{:<{}}  {}\n", node.node, address, node.error.message());
    return fmt::format("{:<{}}  {:<{}}  {:>13}  {:>9}  {}\n", node.node, address, value_of(node), value,
                       time_left(node), number_or_dash(node.listeners), number_or_dash(node.fence));
}

template <class Value>
boost::json::value optional(const std::optional<Value>& value) {
    return value ? boost::json::value(*value) : boost::json::value(nullptr);
}

boost::json::object object_of(const node_key_report& node) {
    std::optional<std::int64_t> remaining;
    if (node.remaining) remaining = node.remaining->count();
    boost::json::object result{{"node", node.node},
                               {"value", optional(node.value)},
                               {"remaining_milliseconds", optional(remaining)},
                               {"fence", optional(node.fence)},
                               {"listeners", optional(node.listeners)}};
    if (node.error) result["error"] = node.error.message();
    return result;
}

} // namespace

const fmt::text_style& style_of(key_state state) noexcept {
    switch (state) {
    case key_state::free:
        return style::good;
    case key_state::held:
        return style::heading;
    case key_state::split:
    case key_state::undecided:
        break;
    }
    return style::bad;
}

const char* word_of(key_state state) noexcept {
    switch (state) {
    case key_state::free:
        return "free";
    case key_state::held:
        return "held";
    case key_state::split:
        return "split";
    case key_state::undecided:
        break;
    }
    return "unknown";
}

std::string table_of(const key_report& report, const verdict& found, bool colour) {
    std::size_t address = 4;
    std::size_t value = 5;
    for (const auto& n : report.nodes) {
        address = std::max(address, n.node.size());
        value = std::max(value, value_of(n).size());
    }
    const auto waiting = found.waiting.value_or(0);
    const auto others = waiting > 0 ? fmt::format(", {} waiting", waiting) : "";
    std::string text =
        fmt::format("{}: {}{}\n", report.key, paint(colour, style_of(found.state), text_of(found)), others);
    const auto titles = fmt::format("{:<{}}  {:<{}}  {:>13}  {:>9}  {}", "node", address, "value", value,
                                    "expires in", "listeners", "fence");
    text += paint(colour, style::quiet, titles) + '\n';
    for (const auto& n : report.nodes)
        text += row_of(n, address, value);
    return text;
}

std::string json_of(const key_report& report, const verdict& found) {
    boost::json::array nodes;
    for (const auto& n : report.nodes)
        nodes.push_back(object_of(n));
    const boost::json::object all{
        {"key", report.key},    {"state", word_of(found.state)}, {"holder", optional(report.holder)},
        {"votes", found.votes}, {"majority", found.majority},    {"waiting", optional(found.waiting)},
        {"nodes", nodes}};
    return boost::json::serialize(all) + '\n';
}

} // namespace redlock::tool
