#include "look/verdict.hpp"

#include "cli/exit_status.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace redlock::tool {

verdict judge(const key_report& report) {
    verdict result;
    std::map<std::string, std::size_t> holders;
    std::size_t without = 0;
    result.all = report.nodes.size();
    result.majority = result.all / 2 + 1;
    result.waiting = report.waiting;
    result.readers = report.readers.size();
    result.leader = report.leader;
    for (const auto& n : report.nodes) {
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
        for (const auto& n : report.nodes)
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

namespace {

std::string text_of_readers(const verdict& found) {
    return fmt::format("read by {}{}", found.more_readers ? "more than " : "", found.readers);
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
    const auto on = fmt::format("{} of {} nodes", found.votes, found.all);
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
    return fmt::format("not known: {} of {} nodes answered, and they do not decide it{}", found.answers,
                       found.all, besides);
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
