#pragma once

#include <redlock/config.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::tool {

/// What a command line says of the user of the nodes.
struct login_options {
    std::optional<std::string> user{};
    std::optional<std::string> password_file{};
};

/// For `config::credentials`, by the options or else by REDLOCK_USER, and REDLOCK_PASSWORD_FILE or
/// REDLOCK_PASSWORD. Nothing when none of them says a word: then it is up to the addresses. A file is read
/// for each connection, so that the password may change. Throws `usage_error`.
std::function<credentials(std::string_view node)> login_of(const login_options& given);

/// The first line of a file of this user's, or root's, that nobody else may read. Throws `usage_error`, which
/// shows nothing of what is in it.
std::string password_in(const std::string& file);

/// Takes REDLOCK_PASSWORD out of the environment, and REDLOCK_NODES and REDLOCK_BACKUP when a password is in
/// them.
void forget_passwords_of_environment();

} // namespace redlock::tool
