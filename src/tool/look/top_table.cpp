#include "look/top_table.hpp"

#include "cli/option_words.hpp"
#include "look/key_table.hpp"
#include "text/json_line.hpp"
#include "text/printable.hpp"
#include "text/text_table.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace redlock::tool {
namespace {

using keys_in_order = std::vector<const board_key*>;
using seconds = std::chrono::duration<double>;
using side = text_table::side;

/// All keys together.
struct sum {
    std::size_t held = 0;
    std::size_t read = 0;
    std::size_t free = 0;
    std::size_t troubled = 0; ///< in none of these states
    std::uint64_t waiting = 0;
    double rate = 0;
};

sum sum_of(const keys_in_order& keys) {
    sum all;
    for (const board_key* k : keys) {
        const verdict& now = k->history.last();
        auto& count = now.state == key_state::held   ? all.held
                      : now.state == key_state::read ? all.read
                      : now.state == key_state::free ? all.free
                                                     : all.troubled;
        ++count;
        all.waiting += now.waiting.value_or(0);
        all.rate += k->rate.value_or(0);
    }
    return all;
}

std::string text_of(const sum& all, const key_board& board, std::size_t shown) {
    std::string text = fmt::format("{} {}: {} held, {} read, {} free", shown, shown == 1 ? "key" : "keys",
                                   all.held, all.read, all.free);
    if (all.troubled > 0) text += fmt::format(", {} split or not known", all.troubled);
    text += fmt::format("; {} waiting; {:.1f} grants/s seen", all.waiting, all.rate);
    if (board.left_out() > 0) text += fmt::format("; {} more not shown", board.left_out());
    if (board.more()) text += "; there may be more";
    return text;
}

/// What the looks at all keys say of one node.
struct node_sight {
    std::size_t keys = 0; ///< that it has
    std::string server{};
};

node_sight sight_of(const std::string& node, const keys_in_order& keys) {
    node_sight seen;
    for (const board_key* k : keys)
        for (const node_key_report& n : k->report.nodes) {
            if (n.node != node) continue;
            seen.keys += n.value.has_value() || (n.readers && !n.readers->empty());
            if (!n.version.empty()) seen.server = n.product.empty() ? n.version : n.product + ' ' + n.version;
        }
    return seen;
}

double milliseconds_of(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

std::string table_of_nodes(const std::vector<node_metrics>& nodes, const keys_in_order& keys,
                           const reader& where) {
    text_table table({{"node"}, {"state"}, {"keys", side::right}, {"round trip", side::right}, {"server"}});
    for (const node_metrics& n : nodes) {
        const bool ready = n.state == "ready";
        if (!ready && !n.last_error_text.empty()) {
            table.add({printable(n.node), n.state + ": " + printable(in_options(n.last_error_text))},
                      &style::bad);
            continue;
        }
        const node_sight seen = sight_of(n.node, keys);
        table.add({printable(n.node), padded(n.state, 5), padded_left(std::to_string(seen.keys), 4),
                   padded_left(fmt::format("{:.1f} ms", milliseconds_of(n.round_trip)), 8),
                   seen.server.empty() ? "-" : printable(seen.server)},
                  ready ? nullptr : &style::bad);
    }
    return table.text(where);
}

// As wide as they get, so that the columns stay where they are.
std::vector<std::string> row_of(const board_key& k, key_board::time_point at) {
    const verdict& now = k.history.last();
    return {printable(k.name),
            padded(word_of(now.state), 7),
            padded_left(fmt::format("{:.1f} s", seconds(at - k.history.since()).count()), 9),
            padded_left(left_of(k.report), 9),
            fmt::format("{}/{}", now.votes, now.all),
            padded_left(k.rate ? fmt::format("{:.1f}", *k.rate) : "-", 6),
            now.waiting ? std::to_string(*now.waiting) : "-",
            who_of(now)};
}

} // namespace

std::string table_of(const key_board& board, const std::vector<node_metrics>& nodes, key_order order,
                     const reader& where, key_board::time_point now) {
    const keys_in_order keys = board.in_order(order);
    text_table table({{"key"},
                      {"state"},
                      {"since", side::right},
                      {"left", side::right},
                      {"nodes", side::right},
                      {"grants/s", side::right},
                      {"waiting", side::right},
                      {"holder"}});
    for (const board_key* k : keys)
        table.add(row_of(*k, now), &style_of(k->history.last().state));
    const std::string head = wrapped(text_of(sum_of(keys), board, keys.size()), where.width, 0, 2);
    return paint(where.colour, style::heading, head) + "\n\n" + table_of_nodes(nodes, keys, where) + '\n' +
           table.text(where);
}

std::string json_of(const key_board& board, const metrics_snapshot& metrics, key_order order,
                    std::chrono::system_clock::time_point seen, key_board::time_point now) {
    const keys_in_order keys = board.in_order(order);
    boost::json::array listed_nodes;
    for (const node_metrics& n : metrics.nodes) {
        const node_sight sight = sight_of(n.node, keys);
        listed_nodes.push_back(boost::json::object{{"node", n.node},
                                                   {"state", n.state},
                                                   {"keys", sight.keys},
                                                   {"round_trip_milliseconds", milliseconds_of(n.round_trip)},
                                                   {"server", sight.server}});
    }
    boost::json::array listed_keys;
    for (const board_key* k : keys) {
        const verdict& found = k->history.last();
        listed_keys.push_back(boost::json::object{{"key", k->name},
                                                  {"state", word_of(found.state)},
                                                  {"seconds", seconds(now - k->history.since()).count()},
                                                  {"votes", found.votes},
                                                  {"grants_per_second", value_or_null(k->rate)},
                                                  {"waiting", value_or_null(found.waiting)},
                                                  {"holder", text_or_null(found.holder)},
                                                  {"holder_label", text_or_null(found.label)}});
    }
    return json_line({{"time", utc_text(seen)},
                      {"engine", metrics.engine},
                      {"nodes", std::move(listed_nodes)},
                      {"keys", std::move(listed_keys)},
                      {"left_out", board.left_out()},
                      {"more", board.more()}});
}

} // namespace redlock::tool
