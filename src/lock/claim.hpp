#pragma once

#include "core/lock_token.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::lock {

/// What one logical acquire writes: its key, prefix included, and its token. Shared by everything that deals
/// with the grant, and by whoever it is handed on to, until the last command about it is settled.
struct claim {
    claim(const std::string& prefix, std::string&& key, const core::lock_token& lock_token)
        : full_key(std::move(key)), prefix_size(prefix.size()), token(lock_token) {
        if (!prefix.empty()) full_key.insert(0, prefix);
    }

    std::string_view key() const noexcept { return std::string_view(full_key).substr(prefix_size); }

    std::string full_key;
    std::size_t prefix_size;
    core::lock_token token;
    /// The nodes, a bit for each, that were asked for the key since a release was sent to them: that release
    /// must not be sent again, for it would undo what came after it.
    mutable std::uint64_t asked_since_release = 0;
};

} // namespace redlock::lock
