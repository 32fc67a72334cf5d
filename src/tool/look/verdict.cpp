#include "look/verdict.hpp"

#include "cli/exit_status.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace redlock::tool {

namespace {

verdict judge_nodes(const key_report& report, std::span<const node_key_report> nodes) {
    verdict result;
    std::map<std::string, std::size_t> holders;
    std::size_t without = 0;
    result.all = nodes.size();
    result.majority = result.all / 2 + 1;
    result.waiting = report.waiting;
    result.readers = report.readers.size();
    result.leader = report.leader;
    for (const auto& n : nodes) {
        const bool foreign = n.error == errc::wrong_type;
        if (n.error && !foreign) continue;
        ++result.answers;
        result.more_readers = result.more_readers || n.more_readers;
        if (foreign)
            ++result.foreign;
        else if (n.value)
            ++holders[*n.value];
        else
            ++without;
    }
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (const auto most = std::max_element(holders.begin(), holders.end(), fewer); most != holders.end()) {
        result.holder = most->first;
        result.votes = most->second;
        for (const auto& n : nodes)
            if (n.value == most->first) result.label = n.label;
    }
    const std::size_t unknown = result.all - result.answers;
    if (result.votes >= result.majority)
        result.state = key_state::held;
    else if (result.readers > 0)
        result.state = key_state::read;
    else if (without >= result.majority)
        result.state = key_state::free;
    else if (result.all - result.foreign < result.majority)
        result.state = key_state::other_type;
    else if (std::max(result.votes, without) + unknown < result.majority)
        result.state = key_state::split;
    return result;
}

key_state state_of(const node_key_report& backup) noexcept {
    if (backup.error) return key_state::undecided;
    return backup.value ? key_state::held : key_state::free;
}

/// A double lock is held, and free, where both say so.
key_state joined(key_state nodes, key_state backup) noexcept {
    if (nodes == backup || nodes == key_state::other_type) return nodes;
    return nodes == key_state::undecided || backup == key_state::undecided ? key_state::undecided
                                                                           : key_state::split;
}

} // namespace

verdict judge(const key_report& report) {
    const std::span all(report.nodes);
    if (!report.with_backup || all.empty()) return judge_nodes(report, all);
    verdict found = judge_nodes(report, all.first(all.size() - 1));
    found.backup = state_of(all.back());
    found.state = joined(found.state, *found.backup);
    if (found.holder.empty()) found.holder = all.back().value.value_or("");
    return found;
}

namespace {

std::string text_of_readers(const verdict& found) {
    return fmt::format("read by {}{}", found.more_readers ? "more than " : "", found.readers);
}

std::string text_of_backup(const verdict& found) {
    if (!found.backup) return {};
    if (*found.backup == key_state::undecided) return ", and the backup has not answered";
    return *found.backup == key_state::held ? " and in the backup" : ", and not in the backup";
}

std::string lead_of(const verdict& found) {
    if (!found.leader) return {};
    return fmt::format(", who leads in term {} as {}", found.leader->mark.term,
                       printable(found.leader->value));
}

} // namespace

std::string holder_of(const verdict& found) {
    return printable(found.label.empty() ? found.holder : found.label);
}

std::string text_of(const verdict& found) {
    const auto on = fmt::format("{} of {} nodes", found.votes, found.all) + text_of_backup(found);
    const auto other = fmt::format("another type, no lock, on {} of {} nodes", found.foreign, found.all);
    const auto besides = found.foreign > 0 ? ", " + other : "";
    switch (found.state) {
    case key_state::free:
        return (found.votes == 0 ? "free" : fmt::format("free, though {} have it", on)) + besides;
    case key_state::held:
        return fmt::format("held by {} on {}{}{}{}", holder_of(found), on, lead_of(found), besides,
                           found.readers > 0 ? ", who waits to write: it is " + text_of_readers(found) : "");
    case key_state::read:
        return text_of_readers(found) + besides;
    case key_state::other_type:
        return "holds " + other;
    case key_state::split:
        return fmt::format("split: the one with most votes has {}{}", on, besides);
    case key_state::undecided:
        break;
    }
    const bool by_backup = found.backup == key_state::undecided;
    return fmt::format("not known: {} of {} nodes answered, and they do not decide it{}{}", found.answers,
                       found.all, by_backup ? text_of_backup(found) : "", besides);
}

int status_of(const verdict& found) noexcept {
    switch (found.state) {
    case key_state::free:
        return fine;
    case key_state::held:
    case key_state::read:
        return held;
    case key_state::other_type:
        return refused;
    case key_state::split:
        return split;
    case key_state::undecided:
        break;
    }
    return no_quorum;
}

} // namespace redlock::tool
