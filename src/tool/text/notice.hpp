#pragma once

#include <string_view>

namespace redlock::tool {

/// Says something on standard error, behind the name of the program: in lines that fit where they are read,
/// and with nothing in them that would steer a terminal.
void print_notice(std::string_view text);

} // namespace redlock::tool
