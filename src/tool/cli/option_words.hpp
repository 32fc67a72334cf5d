#pragma once

#include <string>

namespace redlock::tool {

/// What the library says, in the words of the command line: it names fields of `config` and `lock_options`,
/// the user has given options.
std::string in_options(std::string text);

} // namespace redlock::tool
