#pragma once

#include <string>
#include <vector>

namespace redlock::sql {

/// A statement as it is sent. The name lives as long as the program.
struct statement {
    const char* name = ""; ///< that it was prepared under; empty for one that is sent with its text
    std::string text{};    ///< of one that is to be prepared, or has no name
    std::vector<std::string> given{}; ///< its parameters, in the form of the kind of database

    bool prepares() const noexcept { return !text.empty() && *name; }
};

/// Of one transaction.
using statements = std::vector<statement>;

} // namespace redlock::sql
