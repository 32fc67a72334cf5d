#include "engines/zookeeper/watches.hpp"

#include <utility>
#include <vector>

namespace redlock::zookeeper {

void watches::remove(const std::string& path, const node_watch& told) noexcept {
    auto [at, end] = all_.equal_range(path);
    while (at != end && at->second != &told)
        ++at;
    if (at != end) all_.erase(at);
}

// Who is told may watch anew, behind those that were there.
void watches::changed(const std::string& path) {
    std::vector<node_watch*> told;
    const auto [first, last] = all_.equal_range(path);
    for (auto at = first; at != last; ++at)
        told.push_back(at->second);
    all_.erase(first, last);
    for (node_watch* const each : told)
        each->watched_changed();
}

void watches::are_gone() {
    for (const auto& [path, each] : std::exchange(all_, {}))
        each->watched_changed();
}

} // namespace redlock::zookeeper
