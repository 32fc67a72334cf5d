#pragma once

#include "engines/sql/postgresql/session/parameters.hpp"

#include <vector>

namespace redlock::postgresql {

/// A statement as it is sent. The texts live as long as the program.
struct statement {
    const char* name = "";      ///< that it was prepared under; empty for one that is sent with its text
    const char* text = nullptr; ///< of one that is to be prepared, or has no name
    parameters given{};

    bool prepares() const noexcept { return text && *name; }
};

/// Of one transaction.
using statements = std::vector<statement>;

} // namespace redlock::postgresql
