#include "core/flow/round_trips.hpp"

#include <algorithm>
#include <cstddef>

namespace redlock::core {

void round_trips::add(nanoseconds took, nanoseconds began, std::optional<std::chrono::microseconds> server) {
    all_.push_back(took);
    if (!server) return;
    // The middle of what was cut off, and of the way.
    const nanoseconds cut_off(500);
    const offset found{.ahead = *server + cut_off - (began + took / 2), .uncertainty = took / 2 + cut_off};
    if (!clock_ || found.uncertainty < clock_->uncertainty) clock_ = found;
}

round_trips::nanoseconds round_trips::least() const noexcept { return *std::ranges::min_element(all_); }

round_trips::nanoseconds round_trips::median() const {
    std::vector<nanoseconds> sorted = all_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle);
    return *middle;
}

} // namespace redlock::core
