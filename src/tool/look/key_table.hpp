#pragma once

#include "look/verdict.hpp"
#include "text/terminal.hpp"

#include <string>

namespace redlock::tool {

/// A table with a line for each node, below what it comes to.
std::string table_of(const key_report& report, const verdict& found, const reader& where);

/// The same for programs, on one line.
std::string json_of(const key_report& report, const verdict& found);

/// A word for the state: "free", "held", "other_type", "split" or "unknown".
const char* word_of(key_state state) noexcept;

/// How a state is painted.
const fmt::text_style& style_of(key_state state) noexcept;

} // namespace redlock::tool
