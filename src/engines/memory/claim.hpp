#pragma once

#include "engine/claim.hpp"

#include <redlock/leader_info.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::memory {

/// One try to have a key of a store, told from all others by its number.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key, std::uint64_t drawn)
        : engine::claim(prefix, std::move(key)), number(drawn) {}
    /// Another try to have the same key.
    claim(const claim& before, std::uint64_t drawn) : engine::claim(&before), number(drawn) {}

    const std::uint64_t number;
    /// Of one that leads: what its holder has proclaimed, whether or not it was heard.
    mutable std::unique_ptr<leader_info> proclaimed;
};

inline const claim& own(const engine::claim& made_here) noexcept {
    return static_cast<const claim&>(made_here);
}

} // namespace redlock::memory
