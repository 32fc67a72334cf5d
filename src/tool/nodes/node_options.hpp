#pragma once

#include "cli/command.hpp"
#include "nodes/login.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// What every command that talks to nodes lets its user say about them.
struct node_options {
    std::vector<std::string> nodes{};
    std::optional<std::string> backup{};
    std::optional<std::string> file{};
    std::optional<std::chrono::milliseconds> node_timeout{};
    std::optional<std::string> key_prefix{};
    login_options login{};
    tls_options tls{}; ///< but for `verify`; what is empty was not said
    bool insecure = false;
};

/// The options that set them.
std::vector<option> options_of(node_options& target);

/// The client's configuration. Everything comes from the configuration file, if there is one, what the
/// command line says takes its place; the nodes come from the command line, else from the environment
/// variable REDLOCK_NODES, else from the file, and so do the backup and what TLS takes, from variables of
/// their own. Only that nothing is verified has none. Throws `usage_error`, also when no nodes are named.
config configuration_of(const node_options& given);

} // namespace redlock::tool
