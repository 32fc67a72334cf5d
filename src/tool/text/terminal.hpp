#pragma once

#include "text/text_width.hpp"

#include <fmt/color.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace redlock::tool {

/// Whether text for this stream may have colours: it is a terminal that knows them, and the environment
/// variable NO_COLOR is not set to anything.
bool has_colour(std::FILE* stream);

/// What text is written for: a terminal of some width, or something else, on which lines may be of any
/// length.
struct reader {
    std::size_t width = unlimited; ///< columns
    bool colour = false;
};

/// The reader of this stream. No terminal is taken to be narrower than 40 columns, and one that does not tell
/// has 80.
reader reader_of(std::FILE* stream);

/// Lines of the terminal, or 24 when it does not tell or is none.
std::size_t rows_of(std::FILE* stream);

/// The text, of one line or several, in that style where `colour` is true.
std::string paint(bool colour, const fmt::text_style& style, std::string_view text);

namespace style {
inline constexpr fmt::text_style heading = fmt::emphasis::bold;
inline constexpr fmt::text_style good = fg(fmt::terminal_color::green);
inline constexpr fmt::text_style doubtful = fg(fmt::terminal_color::yellow);
inline constexpr fmt::text_style bad = fg(fmt::terminal_color::red);
inline constexpr fmt::text_style quiet = fmt::emphasis::faint;
} // namespace style

} // namespace redlock::tool
