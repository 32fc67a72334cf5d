#include "sim/runs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace redlock::sim {

namespace {

/// Hands out seeds, and takes the outcomes in whatever order they come.
class distribution {
public:
    distribution(const std::vector<std::uint64_t>& seeds,
                 const std::function<bool(std::uint64_t, const outcome&)>& each, void (weather::*changes)())
        : seeds_(seeds), each_(each), changes_(changes) {}

    void work() {
        for (std::unique_lock guard(mutex_); next_ < seeds_.size() && !over_;) {
            const std::size_t place = next_++;
            guard.unlock();
            weather w(seeds_[place]);
            if (changes_) (w.*changes_)();
            outcome o = world(seeds_[place], std::move(w)).run();
            guard.lock();
            done_.emplace(place, std::move(o));
            report();
        }
    }

private:
    void report() {
        for (auto first = done_.begin(); !over_ && first != done_.end() && first->first == reported_;
             first = done_.erase(first), ++reported_)
            over_ = !each_(seeds_[first->first], first->second);
    }

    const std::vector<std::uint64_t>& seeds_;
    const std::function<bool(std::uint64_t, const outcome&)>& each_;
    void (weather::*const changes_)();
    std::mutex mutex_;
    std::size_t next_ = 0;
    std::size_t reported_ = 0;
    std::map<std::size_t, outcome> done_; ///< and not reported
    bool over_ = false;
};

} // namespace

void run_all(const std::vector<std::uint64_t>& seeds, unsigned jobs,
             const std::function<bool(std::uint64_t, const outcome&)>& each, void (weather::*changes)()) {
    distribution all(seeds, each, changes);
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < jobs; ++i)
        others.emplace_back([&all] { all.work(); });
    all.work();
}

} // namespace redlock::sim
