#pragma once

#include "look/verdict.hpp"
#include "text/terminal.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace redlock::tool {

/// A table with a line for each node, below what it comes to.
std::string table_of(const key_report& report, const verdict& found, const reader& where);

/// The same for programs, on one line, with the name of the engine.
std::string json_of(const key_report& report, const verdict& found, const std::string& engine);

/// A line for something that changed, at that time, with all that was seen of the key.
std::string json_of(const key_report& report, const verdict& found, const std::string& change,
                    std::chrono::system_clock::time_point seen);

/// A look at one of several permits of a key.
struct permit_look {
    key_report report;
    verdict found;
};
using permit_looks = std::vector<permit_look>;

/// A table with a line for each permit, below how many are taken.
std::string table_of(const std::string& key, const permit_looks& permits, const reader& where);

/// The same for programs, on one line.
std::string json_of(const std::string& key, const permit_looks& permits, const std::string& engine);

/// In seconds, the longest that any node keeps it for, for a holder or a reader; empty where none has it, or
/// it never ends.
std::string left_of(const key_report& report);

/// The holder and what he proclaims, or how many read it; empty when neither is so.
std::string who_of(const verdict& found);

/// A word for the state: "free", "held", "read", "other_type", "split" or "unknown".
const char* word_of(key_state state) noexcept;

/// How a state is painted.
const fmt::text_style& style_of(key_state state) noexcept;

} // namespace redlock::tool
