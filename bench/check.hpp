#pragma once

#include <string>

namespace bench {

/// One limit that the library keeps or does not keep.
struct check {
    std::string name;
    double value = 0;
    double limit = 0;
    bool at_least = false; ///< the value must not be below the limit, instead of not above it

    bool passed() const noexcept { return at_least ? value >= limit : value <= limit; }
};

} // namespace bench
