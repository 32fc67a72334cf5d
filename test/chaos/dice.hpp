#pragma once

#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

namespace redlock::chaos {

/// What is left to chance: the same again for the same seed.
class dice {
public:
    explicit dice(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
    }
    /// Which of several, that are as likely as these say.
    std::size_t among(const std::vector<double>& weights) {
        return std::discrete_distribution<std::size_t>(weights.begin(), weights.end())(random_);
    }
    bool one_in(std::size_t number) { return below(number) == 0; }
    std::chrono::milliseconds between(std::chrono::milliseconds low, std::chrono::milliseconds high) {
        return low + std::chrono::milliseconds(below(static_cast<std::size_t>((high - low).count())));
    }
    /// How long a fault lasts: most are short, some longer than a lease.
    std::chrono::milliseconds fault_time() {
        using std::chrono::milliseconds;
        return milliseconds(50 + below(one_in(4) ? 3000 : 700));
    }

private:
    std::mt19937 random_;
};

} // namespace redlock::chaos
