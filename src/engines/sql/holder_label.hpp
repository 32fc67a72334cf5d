#pragma once

#include "engines/sql/answer.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::sql {

/// A label stands in its row behind the end of the token, so many characters, and a colon. A client that
/// knows of no labels may take the row over and leave the label of the holder before: it is nobody's then.
inline constexpr std::size_t label_mark = 8;

/// `config::holder_label` as a database takes it: bytes that it could not read stand as question marks.
/// `speaks_utf8`: it keeps all characters, rather than those of ASCII alone.
std::string storable_label(std::string_view label, bool speaks_utf8);

/// What a row says of whoever has this token, printable and bounded. Empty where that is nothing.
std::string label_beside(std::string_view token, const answer::cell& label);

} // namespace redlock::sql
