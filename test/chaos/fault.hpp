#pragma once

#include "chaos/dice.hpp"
#include "chaos/wounds.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace redlock::chaos {

/// One kind of fault.
struct fault {
    std::string name;
    /// Makes it at a place that chance chooses, and adds to the wounds how it is mended, unless it is over at
    /// once. Returns false, and does nothing, where it cannot be made just now.
    std::function<bool(dice&, wounds&)> strike;
    /// So many times as often as others is it tried.
    std::size_t weight = 1;
};

using faults = std::vector<fault>;

inline void append(faults& to, faults more) {
    for (fault& each : more)
        to.push_back(std::move(each));
}

} // namespace redlock::chaos
