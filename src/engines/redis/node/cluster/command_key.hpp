#pragma once

#include <optional>
#include <string_view>

namespace redlock::node {

/// What a command is about, for whoever has to find the server for it.
struct command_place {
    std::string_view name;               ///< of the command, in capitals as it was put
    std::optional<std::string_view> key; ///< by which it goes to one server; nothing where any will do
};

/// Of an encoded command: its first key, also that of a script and that in the name of a keyspace channel.
command_place place_of_command(std::string_view encoded) noexcept;

} // namespace redlock::node
