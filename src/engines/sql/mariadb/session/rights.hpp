#pragma once

#include <span>

namespace redlock::mariadb {

/// Something that the user needs to be allowed.
struct right {
    const char* rule;  ///< that grants it
    const char* probe; ///< a statement that needs it and no other, and changes nothing
};

/// What every lock needs. What a user may do can come from roles and patterns, which he must not all read: so
/// the server is asked to do it.
std::span<const right> rights_to_table() noexcept;

/// What makes the table where there is none.
inline constexpr const char* right_to_create = "GRANT CREATE ON redlock";

} // namespace redlock::mariadb
