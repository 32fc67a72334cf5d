#pragma once

#include "comparison.hpp"

#include <string>
#include <vector>

namespace bench {

/// All that was measured.
struct findings {
    std::vector<comparison> comparisons;
    double bytes_per_lease = 0;
};

/// One limit that the library keeps or does not keep.
struct check {
    std::string name;
    double value = 0;
    double limit = 0;
    bool at_least = false; ///< the value must not be below the limit, instead of not above it

    bool passed() const noexcept { return at_least ? value >= limit : value <= limit; }
};

std::vector<check> checks_of(const findings& f);

/// A table to read.
std::string table(const findings& f);

/// The same as one JSON object, with every single sample.
std::string json(const findings& f);

} // namespace bench
