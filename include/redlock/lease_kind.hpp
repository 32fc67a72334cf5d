#pragma once

#include <redlock/detail/language.hpp>

#include <cstdint>

namespace redlock {

/// What a lease lets its holder do.
enum class lease_kind : std::uint8_t {
    exclusive, ///< be alone with the key; also each of several keys
    read,      ///< be with others who read: `mode::read`
    write,     ///< be alone with the key, behind all who read: `mode::write`
    permit,    ///< be one of so many: `lock_options::permits`
    leadership ///< lead, and tell others so: `client::async_campaign`
};

} // namespace redlock
