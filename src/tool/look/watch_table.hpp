#pragma once

#include "look/key_history.hpp"
#include "text/terminal.hpp"

#include <redlock/key_report.hpp>

#include <string>
#include <vector>

namespace redlock::tool {

/// One key that is watched.
struct watched_key {
    std::string key{};
    key_history history{};
    key_report report{}; ///< of the last look
};

/// A table of all keys.
std::string table_of(const std::vector<watched_key>& keys, const reader& where);

/// A line for something that changed, with the time of day.
std::string change_line(const watched_key& key, const std::string& change);

} // namespace redlock::tool
