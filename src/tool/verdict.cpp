#include "verdict.hpp"

#include "exit_status.hpp"
#include "printable.hpp"

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
    for (const auto& n : report.nodes) {
        if (n.error) continue;
        ++result.answers;
        if (n.value)
            ++holders[*n.value];
        else
            ++without;
    }
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (const auto most = std::max_element(holders.begin(), holders.end(), fewer); most != holders.end()) {
        result.holder = most->first;
        result.votes = most->second;
    }
    const std::size_t unknown = result.all - result.answers;
    if (result.votes >= result.majority)
        result.state = key_state::held;
    else if (without >= result.majority)
        result.state = key_state::free;
    else if (std::max(result.votes, without) + unknown < result.majority)
        result.state = key_state::split;
    return result;
}

std::string text_of(const verdict& found) {
    const auto on = fmt::format("{} of {} nodes", found.votes, found.all);
    switch (found.state) {
    case key_state::free:
        return found.votes == 0 ? "free" : fmt::format("free, though {} have it", on);
    case key_state::held:
        return fmt::format("held by {} on {}", printable(found.holder), on);
    case key_state::split:
        return fmt::format("split: the one with most votes has {}", on);
    case key_state::undecided:
        break;
    }
    return fmt::format("not known: {} of {} nodes answered, and they do not decide it", found.answers,
                       found.all);
}

int status_of(const verdict& found) noexcept {
    switch (found.state) {
    case key_state::free:
        return fine;
    case key_state::held:
        return held;
    case key_state::split:
        return split;
    case key_state::undecided:
        break;
    }
    return no_quorum;
}

} // namespace redlock::tool
