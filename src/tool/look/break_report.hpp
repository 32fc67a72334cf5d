#pragma once

#include "text/terminal.hpp"

#include <redlock/break_report.hpp>
#include <redlock/key_report.hpp>

#include <string>

namespace redlock::tool {

/// Whether any node shows a holder, or somebody who reads.
bool shows_holder(const key_report& shown) noexcept;

/// The exit status of `break` for what became of the key: `fine` when it was removed from a node and what was
/// shown is not left on a majority.
int status_of(const break_report& done) noexcept;

/// A line for each node, below what they come to.
std::string table_of(const break_report& done, const reader& where);

/// The same for programs, on one line.
std::string json_of(const break_report& done);

} // namespace redlock::tool
