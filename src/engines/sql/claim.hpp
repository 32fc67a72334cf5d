#pragma once

#include "core/lock_token.hpp"
#include "engine/claim.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace redlock::sql {

/// One try to have a key: what the row of the key says then. Once it was given back, or nobody knows what
/// became of it, it is never written again.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key, const core::lock_token& drawn)
        : engine::claim(prefix, std::move(key)), token_(drawn) {}
    /// Another try to have the same key.
    claim(const claim& before, const core::lock_token& drawn) : engine::claim(&before), token_(drawn) {}

    std::string_view token() const noexcept { return token_.text(); }

private:
    const core::lock_token token_;
};

using claim_pointer = std::shared_ptr<const claim>;

/// Of the engine's own: every claim that it is given is one that it has made.
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

} // namespace redlock::sql
