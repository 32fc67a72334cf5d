#pragma once

#include "key_history.hpp"

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
    explicit watch_screen(bool colour) noexcept : colour_(colour) {}

    /// `columns` is the width of the terminal.
    std::string draw(const std::vector<watched_key>& keys, int columns);

private:
    bool colour_;
    std::size_t drawn_ = 0; ///< lines of the last drawing
};

/// A line for something that changed, with the time of day.
std::string change_line(const watched_key& key, const std::string& change);

} // namespace redlock::tool
