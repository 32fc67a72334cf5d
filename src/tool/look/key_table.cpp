#include "look/key_table.hpp"

#include "cli/option_words.hpp"
#include "text/json_line.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace redlock::tool {
namespace {

std::string time_left(const node_key_report& node) {
    if (!node.value) return "";
    return node.remaining ? fmt::format("{} ms", node.remaining->count()) : "never expires";
}

std::string number_or_dash(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "-";
}

std::string server_of(const node_key_report& node) {
    if (node.version.empty()) return "-";
    return node.product.empty() ? node.version : fmt::format("{} {}", node.product, node.version);
}

std::string value_of(const node_key_report& node) { return node.value ? printable(*node.value) : "-"; }

std::vector<std::string> row_of(const node_key_report& node) {
    if (node.error == errc::wrong_type) return {printable(node.node), "holds another type, no lock"};
    if (node.error) return {printable(node.node), printable(in_options(node.error.message()))};
    return {printable(node.node),       value_of(node), time_left(node), number_or_dash(node.listeners),
            number_or_dash(node.fence), server_of(node)};
}

boost::json::value text_or_null(const std::string& text) {
    return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
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
                               {"listeners", optional(node.listeners)},
                               {"product", text_or_null(node.product)},
                               {"version", text_or_null(node.version)}};
    if (node.error) result["error"] = in_options(node.error.message());
    return result;
}

} // namespace

const fmt::text_style& style_of(key_state state) noexcept {
    switch (state) {
    case key_state::free:
        return style::good;
    case key_state::held:
        return style::heading;
    case key_state::other_type:
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
    case key_state::other_type:
        return "other_type";
    case key_state::split:
        return "split";
    case key_state::undecided:
        break;
    }
    return "unknown";
}

std::string table_of(const key_report& report, const verdict& found, const reader& where) {
    const auto waiting = found.waiting.value_or(0);
    const auto others = waiting > 0 ? fmt::format(", {} waiting", waiting) : "";
    const std::string key = printable(report.key) + ": ";
    std::string text = key + paint(where.colour, style_of(found.state),
                                   wrapped(text_of(found) + others, where.width, display_width(key), 2));
    using side = text_table::side;
    text_table table({{"node"},
                      {"value"},
                      {"expires in", side::right},
                      {"listeners", side::right},
                      {"fence"},
                      {"server"}});
    for (const auto& n : report.nodes)
        table.add(row_of(n));
    return text + '\n' + table.text(where);
}

std::string json_of(const key_report& report, const verdict& found) {
    boost::json::array nodes;
    for (const auto& n : report.nodes)
        nodes.push_back(object_of(n));
    const boost::json::object all{
        {"key", report.key},    {"state", word_of(found.state)}, {"holder", optional(report.holder)},
        {"votes", found.votes}, {"majority", found.majority},    {"waiting", optional(found.waiting)},
        {"nodes", nodes}};
    return json_line(all);
}

} // namespace redlock::tool
