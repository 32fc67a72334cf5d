#pragma once

#include <fmt/color.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace redlock::tool {

/// Whether text for this stream may have colours: it is a terminal that knows them, and the environment
/// variable NO_COLOR is not set to anything.
bool has_colour(std::FILE* stream);

/// Columns of the terminal, or 80 when it is none.
int columns_of(std::FILE* stream);

/// The text, in that style where `colour` is true.
std::string paint(bool colour, const fmt::text_style& style, std::string_view text);

/// Words that come from a server, for a terminal: whatever is not printable ASCII is written as \xNN, so that
/// it cannot steer the terminal.
std::string harmless(std::string_view words);

namespace style {
inline constexpr fmt::text_style heading = fmt::emphasis::bold;
inline constexpr fmt::text_style good = fg(fmt::terminal_color::green);
inline constexpr fmt::text_style doubtful = fg(fmt::terminal_color::yellow);
inline constexpr fmt::text_style bad = fg(fmt::terminal_color::red);
inline constexpr fmt::text_style quiet = fmt::emphasis::faint;
} // namespace style

} // namespace redlock::tool
