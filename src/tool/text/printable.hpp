#pragma once

#include <string>
#include <string_view>

namespace redlock::tool {

/// What the reader of a terminal takes bytes for.
enum class charset { ascii, utf8 };

/// By the environment: LC_ALL, else LC_CTYPE, else LANG.
charset charset_of_environment();

/// Words of a server or a user, for a terminal: whatever would steer it (control characters, bytes that are
/// no characters, changes of the direction of writing) is written as \xNN, byte by byte. So is everything
/// beyond ASCII where the terminal does not know UTF-8, for it may take single bytes of that for commands.
std::string printable(std::string_view words, charset known = charset_of_environment());

} // namespace redlock::tool
