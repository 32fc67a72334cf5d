#include "engines/redis/dialect/server_dialect.hpp"

#include "engines/redis/dialect/server_error.hpp"

#include <charconv>

namespace redlock::redis {

namespace {

/// Whether a version such as "8.4.0" is `major`.`minor` or later.
bool is_at_least(std::string_view version, unsigned major, unsigned minor) noexcept {
    unsigned found[2] = {0, 0};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (unsigned& part : found) {
        const auto [next, error] = std::from_chars(at, end, part);
        if (error != std::errc()) break;
        at = next == end ? next : next + 1;
    }
    return found[0] > major || (found[0] == major && found[1] >= minor);
}

} // namespace

bool lacks_form(command_form sent, std::string_view error) noexcept {
    if (sent == command_form::set_returning_holder) return says_syntax_error(error);
    if (is_by_hash(sent)) return says_no_script(error);
    if (!is_native_release(sent)) return false;
    // It does not know the command, or this user must not run it. What else it complains of, a full memory
    // for one, it would of the script as well.
    const errc why = meaning_of_server_error(error);
    return why == errc::server_error || why == errc::permission_denied;
}

void server_dialect::meet(const node::server_info& server) noexcept {
    *this = {};
    database_ = server.database;
    tags_keys_ = server.mode == "cluster";
    // Not of keys in several slots.
    joins_releases_ = joins_reads_ = joins_renewals_ = joins_advances_ = !tags_keys_;
    if (server.product == "redis" && is_at_least(server.version, 8, 4)) native_release_ = command_form::delex;
    if (server.product == "valkey" && is_at_least(server.version, 9, 0))
        native_release_ = command_form::delifeq;
}

void server_dialect::lacks(command_form form) noexcept {
    if (form == command_form::set_returning_holder) set_returns_holder_ = false;
    if (form == command_form::zadd_gt) raises_fences_ = false;
    if (is_native_release(form)) native_release_ = command_form::only;
    // Scripts leave a server together. Nor is it to be guessed which of them will stand in for its own
    // command.
    if (is_native_release(form) || is_by_hash(form)) scripts_ = 0;
}

} // namespace redlock::redis
