#pragma once

#include <cstddef>
#include <string>

namespace redlock::tool {

/// So many lines of a chart are told apart.
inline constexpr std::size_t line_colours = 6;

/// Rules of a style sheet for pages that are light or dark as their reader's are: variables (--ink, --quiet,
/// --paper, --rule, --good, --some, --bad, --line-0 and so on) on that element, and the classes that all
/// drawings use, `line-0` and `dot-0` among them.
std::string colours_of(const char* element);

} // namespace redlock::tool
