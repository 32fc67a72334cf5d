#pragma once

#include "core/entropy.hpp"
#include "sim/dice.hpp"

namespace redlock::sim {

/// What a world's tokens are made of: it follows from the seed of the world.
class entropy final : public core::entropy {
public:
    explicit entropy(dice& from) noexcept : dice_(from) {}

    void fill(std::span<std::uint8_t> out) override {
        for (std::uint8_t& byte : out)
            byte = static_cast<std::uint8_t>(dice_.seed());
    }

private:
    dice& dice_;
};

} // namespace redlock::sim
