#include "look/key_table.hpp"

#include "cli/option_words.hpp"
#include "text/json_line.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

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

std::string label_or_dash(const std::string& label) { return label.empty() ? "-" : printable(label); }

std::vector<std::string> row_of(const node_key_report& node) {
    if (node.error == errc::wrong_type) return {printable(node.node), "holds another type, no lock"};
    if (node.error) return {printable(node.node), printable(in_options(node.error.message()))};
    return {printable(node.node),       value_of(node), time_left(node), number_or_dash(node.listeners),
            number_or_dash(node.fence), server_of(node)};
}

/// Where any node has it, and the longest time that it has left.
struct reader_sight {
    std::size_t nodes = 0;
    std::chrono::milliseconds left{0};
    std::string label{};
};

std::string table_of_readers(const key_report& report, const reader& where) {
    std::map<std::string, reader_sight> all;
    for (const auto& n : report.nodes) {
        if (!n.readers) continue;
        for (const reader_report& one : *n.readers) {
            reader_sight& seen = all[one.value];
            ++seen.nodes;
            seen.left = std::max(seen.left, one.remaining);
            seen.label = one.label;
        }
    }
    if (all.empty()) return "";
    text_table table(
        {{"who reads"}, {"on nodes", text_table::side::right}, {"for", text_table::side::right}, {"value"}});
    for (const auto& [value, seen] : all)
        table.add({label_or_dash(seen.label), fmt::format("{}/{}", seen.nodes, report.nodes.size()),
                   fmt::format("{} ms", seen.left.count()), printable(value)});
    return table.text(where);
}

boost::json::value readers_of(const node_key_report& node) {
    if (!node.readers) return nullptr;
    boost::json::array all;
    for (const reader_report& one : *node.readers)
        all.push_back(boost::json::object{{"value", one.value},
                                          {"label", text_or_null(one.label)},
                                          {"remaining_milliseconds", one.remaining.count()}});
    return all;
}

boost::json::object leader_of(const leader_info& leader) {
    return {{"value", leader.value}, {"term", leader.mark.term}, {"version", leader.mark.version}};
}

boost::json::object object_of(const node_key_report& node) {
    std::optional<std::int64_t> remaining;
    if (node.remaining) remaining = node.remaining->count();
    boost::json::object result{{"node", node.node},
                               {"value", value_or_null(node.value)},
                               {"label", text_or_null(node.label)},
                               {"remaining_milliseconds", value_or_null(remaining)},
                               {"fence", value_or_null(node.fence)},
                               {"listeners", value_or_null(node.listeners)},
                               {"readers", readers_of(node)},
                               {"more_readers", node.more_readers},
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
    case key_state::read:
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
    case key_state::read:
        return "read";
    case key_state::other_type:
        return "other_type";
    case key_state::split:
        return "split";
    case key_state::undecided:
        break;
    }
    return "unknown";
}

std::string left_of(const key_report& report) {
    std::optional<std::chrono::milliseconds> most;
    for (const auto& n : report.nodes) {
        if (n.remaining) most = std::max(most.value_or(*n.remaining), *n.remaining);
        for (const reader_report& one : n.readers.value_or(std::vector<reader_report>()))
            most = std::max(most.value_or(one.remaining), one.remaining);
    }
    return most ? fmt::format("{:.1f} s", static_cast<double>(most->count()) / 1000) : "";
}

std::string who_of(const verdict& found) {
    if (found.state == key_state::read) return text_of(found);
    if (found.state != key_state::held) return "";
    const std::string holder = holder_of(found);
    return found.leader ? fmt::format("{} leads: {}", printable(found.leader->value), holder) : holder;
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
    return text + '\n' + table.text(where) + table_of_readers(report, where);
}

namespace {

boost::json::object object_of(const key_report& report, const verdict& found) {
    boost::json::array nodes;
    for (const auto& n : report.nodes)
        nodes.push_back(object_of(n));
    boost::json::array readers(report.readers.begin(), report.readers.end());
    boost::json::object all{{"key", report.key},
                            {"state", word_of(found.state)},
                            {"holder", value_or_null(report.holder)},
                            {"holder_label", text_or_null(report.holder_label)},
                            {"votes", found.votes},
                            {"majority", found.majority},
                            {"waiting", value_or_null(found.waiting)},
                            {"readers", std::move(readers)},
                            {"nodes", std::move(nodes)}};
    if (report.leader) all["leader"] = leader_of(*report.leader);
    return all;
}

} // namespace

std::string json_of(const key_report& report, const verdict& found, const std::string& engine) {
    boost::json::object all = object_of(report, found);
    all["engine"] = engine;
    return json_line(all);
}

std::string json_of(const key_report& report, const verdict& found, const std::string& change,
                    std::chrono::system_clock::time_point seen) {
    boost::json::object line{{"time", utc_text(seen)}, {"change", change}};
    for (const auto& member : object_of(report, found))
        line.insert(member);
    return json_line(line);
}

std::string table_of(const std::string& key, const permit_looks& permits, const reader& where) {
    std::size_t taken = 0;
    using side = text_table::side;
    text_table table(
        {{"permit"}, {"state"}, {"expires in", side::right}, {"waiting", side::right}, {"holder"}});
    for (const permit_look& one : permits) {
        taken += one.found.state == key_state::held;
        std::string left;
        for (const auto& n : one.report.nodes)
            if (n.value && *n.value == one.found.holder) left = time_left(n);
        const bool is_held = one.found.state == key_state::held;
        table.add({printable(one.report.key), word_of(one.found.state), is_held ? left : "",
                   one.found.waiting ? std::to_string(*one.found.waiting) : "-",
                   is_held ? holder_of(one.found) : ""},
                  &style_of(one.found.state));
    }
    const auto sum = fmt::format("{} of {} permits are taken", taken, permits.size());
    return fmt::format("{}: {}\n", printable(key), sum) + table.text(where);
}

std::string json_of(const std::string& key, const permit_looks& permits, const std::string& engine) {
    boost::json::array all;
    for (const permit_look& one : permits)
        all.push_back(object_of(one.report, one.found));
    const boost::json::object whole{{"key", key}, {"permits", std::move(all)}, {"engine", engine}};
    return json_line(whole);
}

} // namespace redlock::tool
