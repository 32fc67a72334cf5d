#pragma once

#include "engine/claim.hpp"
#include "engines/etcd/holding.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace redlock::etcd {

/// A lock that somebody wants, or has.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key) : engine::claim(prefix, std::move(key)) {}

    /// Its key, from the grant until it is given back or lost.
    mutable std::unique_ptr<holding> held{};
};

using claim_pointer = std::shared_ptr<const claim>;

/// Of the engine's own: every claim that it is given is one that it has made.
inline const claim& own(const engine::claim& made_here) noexcept {
    return static_cast<const claim&>(made_here);
}
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

} // namespace redlock::etcd
