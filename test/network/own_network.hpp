#pragma once

#include <optional>
#include <string>

namespace redlock::test {

/// Where names are asked for there.
inline constexpr const char* name_server_address = "127.0.0.53";

/// Gives this process, which has no other thread yet, and its children a network of their own with nothing in
/// it but loopback, and files of their own that say where names are found: at `name_server_address` alone.
/// Returns why the system does not let it, or nothing.
std::optional<std::string> enter_own_network();

} // namespace redlock::test
