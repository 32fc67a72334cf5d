#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::core {

/// Text of others for a terminal or a log: every byte that is not printable ASCII as `\xNN`, a quotation mark
/// or a backslash with a backslash before it. Of a longer text only the first `longest` bytes, and `...`.
std::string printable(std::string_view text, std::size_t longest);

} // namespace redlock::core
