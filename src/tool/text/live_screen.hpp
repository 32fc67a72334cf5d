#pragma once

#include "text/terminal.hpp"

#include <cstddef>
#include <string>

namespace redlock::tool {

/// Text on a terminal that is drawn over and over.
class live_screen {
public:
    /// The text with the terminal's control sequences that draw it over the one before. On a terminal of so
    /// many lines; what does not fit in there is left out. When its size has changed since the last time the
    /// whole screen is drawn afresh.
    std::string draw(const std::string& text, const reader& where, std::size_t rows);

private:
    std::size_t drawn_ = 0; ///< lines of the last drawing
    std::size_t width_ = 0; ///< and the size of the terminal then
    std::size_t rows_ = 0;
};

} // namespace redlock::tool
