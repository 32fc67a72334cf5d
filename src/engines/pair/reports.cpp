#include "engines/pair/reports.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::pair {

namespace {

template <class Element>
void append(std::vector<Element>& to, std::vector<Element>&& more) {
    std::ranges::move(more, std::back_inserter(to));
}

/// The value that a majority of the nodes has.
std::optional<std::string> holder_of(const std::vector<node_key_report>& nodes) {
    std::map<std::string_view, std::size_t> votes;
    for (const node_key_report& told : nodes)
        if (told.value && ++votes[*told.value] > nodes.size() / 2) return told.value;
    return std::nullopt;
}

} // namespace

key_report joined(key_report&& first, key_report&& second) {
    key_report both = std::move(first);
    if (!both.holder) {
        both.holder = std::move(second.holder);
        both.holder_label = std::move(second.holder_label);
    }
    both.waiting = std::max(both.waiting, second.waiting);
    append(both.nodes, std::move(second.nodes));
    both.with_backup = true;
    return both;
}

std::pair<key_report, key_report> parted(key_report&& both, std::size_t nodes_of_first) {
    const std::size_t size = std::min(nodes_of_first, both.nodes.size());
    const auto begin = both.nodes.begin();
    const auto middle = begin + static_cast<std::ptrdiff_t>(size);
    key_report first{.key = both.key, .nodes = {begin, middle}, .holder = {}, .waiting = {}};
    key_report second{.key = both.key, .nodes = {middle, both.nodes.end()}, .holder = {}, .waiting = {}};
    first.holder = holder_of(first.nodes);
    second.holder = holder_of(second.nodes);
    return {std::move(first), std::move(second)};
}

break_report joined(break_report&& first, break_report&& second) {
    break_report both = std::move(first);
    both.removed += second.removed;
    append(both.nodes, std::move(second.nodes));
    return both;
}

key_list joined(key_list&& first, key_list&& second, std::size_t most) {
    key_list both{.keys = {}, .more = first.more || second.more};
    std::ranges::set_union(first.keys, second.keys, std::back_inserter(both.keys));
    if (both.keys.size() <= most) return both;
    both.keys.resize(most);
    both.more = true;
    return both;
}

std::vector<node_examination> joined(std::vector<node_examination>&& first,
                                     std::vector<node_examination>&& second) {
    std::vector<node_examination> both = std::move(first);
    append(both, std::move(second));
    return both;
}

void add(metrics_snapshot& to, metrics_snapshot&& of_second) {
    using count = std::uint64_t metrics_snapshot::*;
    using size = std::size_t metrics_snapshot::*;
    using all = metrics_snapshot;
    for (const count each :
         {&all::refusals, &all::split_votes, &all::arbiter_tries, &all::kept_votes, &all::directed_handovers,
          &all::undirected_waits, &all::yields, &all::no_quorum, &all::repairs, &all::fence_retries})
        to.*each += of_second.*each;
    for (const size each : {&all::inflight, &all::queued, &all::inflight_limit})
        to.*each += of_second.*each;
    append(to.nodes, std::move(of_second.nodes));
}

} // namespace redlock::pair
