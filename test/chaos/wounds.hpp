#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace redlock::chaos {

/// What a nemesis did and has not mended yet.
class wounds {
public:
    std::size_t open() const noexcept { return open_.size(); }
    void add(std::chrono::milliseconds lasts, std::function<void()> heal) {
        open_.push_back({clock::now() + lasts, std::move(heal)});
    }
    /// Those whose time is over.
    void heal_due() {
        for (std::size_t i = 0; i < open_.size();) {
            if (open_[i].end > clock::now()) {
                ++i;
                continue;
            }
            const wound healed = std::exchange(open_[i], open_.back());
            open_.pop_back();
            healed.heal();
        }
    }
    /// Also those that only heal behind others.
    void heal_all() {
        while (!open_.empty())
            for (const wound& each : std::exchange(open_, {}))
                each.heal();
    }

private:
    using clock = std::chrono::steady_clock;
    struct wound {
        clock::time_point end;
        std::function<void()> heal;
    };
    std::vector<wound> open_;
};

} // namespace redlock::chaos
