#include "engines/zookeeper/rule/absences.hpp"

#include <algorithm>

namespace redlock::zookeeper {

core::instant absences::missing_since(const std::string& folder, const std::string& token,
                                      core::instant now) {
    // One that is forgotten is only waited for once more.
    if (seen_.size() == most && !seen_.contains(folder))
        seen_.erase(std::ranges::min_element(seen_, {}, [](const auto& each) { return each.second.since; }));
    const auto [at, is_new] = seen_.try_emplace(folder, absence{token, now});
    if (!is_new && at->second.token != token) at->second = {token, now};
    return at->second.since;
}

} // namespace redlock::zookeeper
