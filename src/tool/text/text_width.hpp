#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::tool {

/// A width for readers that take lines of any length, such as files.
inline constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

/// How many columns of a terminal a printable text takes.
std::size_t display_width(std::string_view text) noexcept;

/// As much of the beginning as fits into so many columns.
std::string_view fitting(std::string_view text, std::size_t columns) noexcept;

/// The text, with blanks behind it, or before it, until it takes so many columns.
std::string padded(std::string_view text, std::size_t columns);
std::string padded_left(std::string_view text, std::size_t columns);

/// The text in lines of at most `width` columns, broken between words alone: a longer word has a line of its
/// own. The first line begins where `begun` columns are in use already, the others with `indent` blanks.
/// There is no line end behind the last one.
std::string wrapped(std::string_view text, std::size_t width, std::size_t begun, std::size_t indent);

} // namespace redlock::tool
