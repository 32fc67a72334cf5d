#pragma once

#include "core/lock_token.hpp"
#include "engine/claim.hpp"
#include "engines/etcd/holding.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace redlock::etcd {

/// One try to have a lock, with a key of its own. Once it was given back, or nobody knows what became of it,
/// it is never written again.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key, const core::lock_token& drawn)
        : engine::claim(prefix, std::move(key)), token_(drawn) {}
    /// Another try to have the same lock.
    claim(const claim& before, const core::lock_token& drawn) : engine::claim(&before), token_(drawn) {}

    std::string_view try_name() const noexcept { return token_.text(); }

    /// Its key, from the grant until it is given back or lost.
    mutable std::unique_ptr<holding> held{};

private:
    const core::lock_token token_;
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
