#pragma once

#include "bench/bench_counts.hpp"
#include "bench/load/node_clock.hpp"

#include <redlock/metrics.hpp>
#include <redlock/observer.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::tool {

/// Hears when nodes come and go, be it between two reports. For a client whose loop runs in one thread, which
/// is also that of the reports.
class node_watcher final : public observer {
public:
    using time_point = node_clock::time_point;

    /// From now on it counts.
    void begin(const std::vector<node_metrics>& nodes, time_point now) {
        for (std::size_t i = 0; i < nodes.size() && i < most_nodes; ++i) {
            places_[nodes[i].node] = clocks_.size();
            clocks_.emplace_back(nodes[i].state == "ready", now);
        }
    }

    void node_changed(std::string_view node, bool ready, std::string_view) noexcept override {
        if (const auto found = places_.find(node); found != places_.end())
            clocks_[found->second].change(ready, std::chrono::steady_clock::now());
    }

    /// Adds what the clocks have counted since the last time.
    void tell(std::array<node_view, most_nodes>& views, time_point now) {
        for (std::size_t i = 0; i < clocks_.size(); ++i) {
            const auto share = clocks_[i].take(now);
            views[i].up += share.up.count();
            views[i].watched += share.watched.count();
        }
    }

private:
    std::map<std::string, std::size_t, std::less<>> places_;
    std::vector<node_clock> clocks_;
};

} // namespace redlock::tool
