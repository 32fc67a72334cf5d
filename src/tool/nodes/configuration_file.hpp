#pragma once

#include <redlock/config.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace redlock::tool {

/// A name that the configuration file knows.
struct configuration_name {
    std::string name;
    std::string value; ///< what the manual calls its value
    std::string help;
};

/// All of them, for the manual.
std::vector<configuration_name> configuration_names();

/// Reads the file, or the first of `$XDG_CONFIG_HOME/redlock/config` (`~/.config/…` where that is not set)
/// and `/etc/redlock.conf` that exists; with none, everything has its default:
/// that of `config`, but for `node_timeout`, which is 500 ms. Throws `usage_error` that
/// names file and line, and never shows a value of `node`; also where an address has a password in it and the
/// file can be read by everybody.
config read_configuration(const std::optional<std::string>& file);

/// Reads lines of `name = value`; empty lines and those that begin with # are passed over. `name` is for
/// errors.
config parse_configuration(std::istream& lines, const std::string& name);

} // namespace redlock::tool
