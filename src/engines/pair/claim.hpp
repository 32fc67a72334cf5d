#pragma once

#include "engine/claim.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace redlock::pair {

/// One try to have a key of both engines: their own claims.
class claim final : public engine::claim {
public:
    claim(std::string_view prefix, engine::key_name&& key, engine::claim_pointer of_first,
          engine::claim_pointer of_second)
        : engine::claim(prefix, std::move(key)), first(std::move(of_first)), second(std::move(of_second)) {}
    /// The same key, by other claims.
    claim(const claim& before, engine::claim_pointer of_first, engine::claim_pointer of_second)
        : engine::claim(&before), first(std::move(of_first)), second(std::move(of_second)) {}

    const engine::claim_pointer first;
    const engine::claim_pointer second;
};

using claim_pointer = std::shared_ptr<const claim>;

/// Of the pair's own: every claim that it is given is one that it has made.
inline const claim& own(const engine::claim& made_here) noexcept {
    return static_cast<const claim&>(made_here);
}
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

} // namespace redlock::pair
