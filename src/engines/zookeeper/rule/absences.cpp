#include "engines/zookeeper/rule/absences.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace redlock::zookeeper {

std::vector<core::instant> absences::missing_since(const std::string& folder,
                                                   const std::vector<std::string>& tokens,
                                                   core::instant now) {
    if (tokens.empty()) {
        seen_.erase(folder);
        return {};
    }
    // One that is forgotten is only waited for once more.
    if (seen_.size() == most && !seen_.contains(folder))
        seen_.erase(
            std::ranges::min_element(seen_, {}, [](const auto& each) { return each.second.front().since; }));
    std::vector<absence>& known = seen_[folder];
    std::vector<absence> current;
    std::vector<core::instant> since;
    for (const std::string& token : tokens) {
        const auto before = std::ranges::find(known, token, &absence::token);
        since.push_back(before == known.end() ? now : before->since);
        current.push_back({token, since.back()});
    }
    std::ranges::sort(
        current, {}, [](const absence& each) { return std::pair(each.since, std::string_view(each.token)); });
    known = std::move(current);
    return since;
}

} // namespace redlock::zookeeper
