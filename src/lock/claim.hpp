#pragma once

#include "core/lock_token.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::lock {

/// What one logical acquire writes: its key, prefix included, and its token. Shared by everything that deals
/// with the grant until the last command about it is settled.
struct claim {
    claim(std::string_view prefix, std::string_view key, const core::lock_token& lock_token)
        : prefix_size(prefix.size()), token(lock_token) {
        full_key.reserve(prefix.size() + key.size());
        full_key.append(prefix).append(key);
    }

    std::string_view key() const noexcept { return std::string_view(full_key).substr(prefix_size); }

    std::string full_key;
    std::size_t prefix_size;
    core::lock_token token;
};

} // namespace redlock::lock
