#pragma once

#include "core/random.hpp"
#include "lease/lock_request.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace redlock::primitive {

/// In which order the permits of a key are tried: at random, so that callers spread over them; one at first,
/// then twice as many each time, so that a free one is found in few round trips without taking many that are
/// not needed.
class slot_search {
public:
    explicit slot_search(unsigned permits) noexcept : left_(permits) {
        assert(permits <= lock::max_permits);
        for (unsigned slot = 0; slot < permits; ++slot)
            order_[slot] = static_cast<std::uint8_t>(slot);
    }

    /// Those to try next, together. None when all were tried. `seems_free(slot)`: not taken as far as is
    /// known here, which costs a look at what this process has, and is asked of no more permits than it
    /// takes.
    template <class SeemsFree>
    std::span<const std::uint8_t> next(core::random& r, SeemsFree seems_free) {
        const std::size_t from = tried_;
        while (tried_ - from < batch_ && left_ > 0) {
            std::uint8_t& drawn = order_[tried_ + r() % left_];
            // What is taken gives its place to the last one, and is not drawn again.
            --left_;
            if (seems_free(drawn))
                std::swap(drawn, order_[tried_++]);
            else
                drawn = order_[tried_ + left_];
        }
        batch_ *= 2;
        return std::span(order_).subspan(from, tried_ - from);
    }

private:
    std::array<std::uint8_t, lock::max_permits>
        order_; ///< those that are or were tried, and then those that are left
    std::size_t tried_ = 0;
    std::size_t left_;
    std::size_t batch_ = 1;
};

} // namespace redlock::primitive
