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

/// A table of all keys with the terminal's control sequences that draw it over the one before.
class watch_screen {
public:
    /// On a terminal of so many lines; what does not fit in there is left out. When its size has changed
    /// since the last time the whole screen is drawn afresh.
    std::string draw(const std::vector<watched_key>& keys, const reader& where, std::size_t rows);

private:
    std::size_t drawn_ = 0; ///< lines of the last drawing
    std::size_t width_ = 0; ///< and the size of the terminal then
    std::size_t rows_ = 0;
};

/// A line for something that changed, with the time of day.
std::string change_line(const watched_key& key, const std::string& change);

} // namespace redlock::tool
