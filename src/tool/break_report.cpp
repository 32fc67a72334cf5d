#include "break_report.hpp"

#include "exit_status.hpp"
#include "terminal.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool {
namespace {

const char* word_of(removal outcome) noexcept {
    switch (outcome) {
    case removal::removed:
        return "removed";
    case removal::changed:
        return "changed";
    case removal::failed:
        return "failed";
    case removal::nothing_shown:
        break;
    }
    return "nothing_shown";
}

std::string text_of(const node_break_report& node) {
    switch (node.outcome) {
    case removal::removed:
        return "removed";
    case removal::changed:
        return "left alone: it is gone, or somebody else's by now";
    case removal::failed:
        return "failed: " + node.error.message();
    case removal::nothing_shown:
        break;
    }
    return "left alone: it was free there";
}

} // namespace

bool shows_holder(const key_report& shown) noexcept {
    return std::ranges::any_of(shown.nodes, [](const node_key_report& n) { return n.value.has_value(); });
}

int status_of(const break_report& done) noexcept {
    const auto is_failure = [](const node_break_report& n) { return n.outcome == removal::failed; };
    const auto failed_nodes = static_cast<std::size_t>(std::ranges::count_if(done.nodes, is_failure));
    const bool may_be_left = failed_nodes > done.nodes.size() / 2;
    if (done.removed > 0 && !may_be_left) return fine;
    const auto first = std::ranges::find_if(done.nodes, is_failure);
    return first == done.nodes.end() ? unchanged : status_of(first->error);
}

std::string table_of(const break_report& done, bool colour) {
    std::string text = fmt::format("{}: ", done.key);
    const auto sum = fmt::format("removed from {} of {} nodes", done.removed, done.nodes.size());
    text += paint(colour, status_of(done) == fine ? style::good : style::bad, sum) + '\n';
    std::size_t width = 4;
    for (const auto& node : done.nodes)
        width = std::max(width, node.node.size());
    for (const auto& node : done.nodes)
        text += fmt::format("{:<{}}  {}\n", node.node, width, text_of(node));
    return text;
}

std::string json_of(const break_report& done) {
    boost::json::array nodes;
    for (const auto& node : done.nodes) {
        boost::json::object one{{"node", node.node}, {"outcome", word_of(node.outcome)}};
        if (node.error) one["error"] = node.error.message();
        nodes.push_back(std::move(one));
    }
    const boost::json::object all{{"key", done.key}, {"removed", done.removed}, {"nodes", std::move(nodes)}};
    return boost::json::serialize(all) + '\n';
}

} // namespace redlock::tool
