#include "look/break_report.hpp"

#include "cli/exit_status.hpp"
#include "cli/option_words.hpp"
#include "text/json_line.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
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

std::string fate_of(const node_break_report& node) {
    switch (node.outcome) {
    case removal::removed:
        return node.readers_removed > 0 ? fmt::format("removed, and {} that read", node.readers_removed)
                                        : "removed";
    case removal::changed:
        return "left alone: it is gone, or somebody else's by now";
    case removal::failed:
        return "failed: " + in_options(node.error.message());
    case removal::nothing_shown:
        break;
    }
    return "left alone: it was free there";
}

} // namespace

bool shows_holder(const key_report& shown) noexcept {
    return std::ranges::any_of(shown.nodes, [](const node_key_report& n) {
        return n.value.has_value() || (n.readers && !n.readers->empty());
    });
}

int status_of(const break_report& done) noexcept {
    const auto is_failure = [](const node_break_report& n) { return n.outcome == removal::failed; };
    const auto failed_nodes = static_cast<std::size_t>(std::ranges::count_if(done.nodes, is_failure));
    const bool may_be_left = failed_nodes > done.nodes.size() / 2;
    if (done.removed > 0 && !may_be_left) return fine;
    const auto first = std::ranges::find_if(done.nodes, is_failure);
    return first == done.nodes.end() ? unchanged : status_of(first->error);
}

std::string table_of(const break_report& done, const reader& where) {
    const auto sum = fmt::format("removed from {} of {} nodes", done.removed, done.nodes.size());
    text_table table({{"node"}, {"what became of the key"}});
    for (const auto& node : done.nodes)
        table.add({printable(node.node), printable(fate_of(node))});
    return fmt::format("{}: {}\n", printable(done.key),
                       paint(where.colour, status_of(done) == fine ? style::good : style::bad, sum)) +
           table.text(where);
}

std::string json_of(const break_report& done) {
    boost::json::array nodes;
    for (const auto& node : done.nodes) {
        boost::json::object one{{"node", node.node},
                                {"outcome", word_of(node.outcome)},
                                {"readers_removed", node.readers_removed}};
        if (node.error) one["error"] = in_options(node.error.message());
        nodes.push_back(std::move(one));
    }
    const boost::json::object all{{"key", done.key}, {"removed", done.removed}, {"nodes", std::move(nodes)}};
    return json_line(all);
}

} // namespace redlock::tool
