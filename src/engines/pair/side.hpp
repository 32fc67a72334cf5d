#pragma once

#include "engine/engine.hpp"
#include "engines/pair/claim.hpp"
#include "engines/pair/joint_outcome.hpp"

#include <functional>
#include <string_view>

namespace redlock::pair {

class pair_engine;

/// What one of the two engines is told of the lease layer, and tells it: by its own claims.
class side final : public engine::loss_listener, public engine::holders {
public:
    side(pair_engine& of, place which) noexcept : pair_(of), at_(which) {}

    const engine::claim& part_of(const engine::claim& c) const noexcept {
        return at_ == place::first ? *own(c).first : *own(c).second;
    }

private:
    void keys_lost(const std::function<bool(const engine::claim&)>& is_lost) noexcept override;
    void keys_in_doubt() noexcept override;
    const engine::claim* holder_of(std::string_view full_key) const noexcept override;
    bool has_left(std::string_view full_key,
                  const std::function<bool(const engine::claim&)>& is_it) const override;

    pair_engine& pair_;
    const place at_;
};

} // namespace redlock::pair
