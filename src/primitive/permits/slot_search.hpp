#pragma once

#include "core/random.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace redlock::primitive {

/// In which order the permits of a key are tried: at random, so that callers spread over them; one at first,
/// then twice as many each time, so that a free one is found in few round trips without taking many that are
/// not needed.
class slot_search {
public:
    /// `seems_free(slot)`: not taken as far as is known here.
    template <class SeemsFree>
    slot_search(unsigned permits, core::random& r, SeemsFree seems_free) {
        order_.reserve(permits);
        for (unsigned slot = 0; slot < permits; ++slot)
            if (seems_free(slot)) order_.push_back(slot);
        for (std::size_t left = order_.size(); left > 1; --left)
            std::swap(order_[left - 1], order_[r() % left]);
    }

    /// Those to try next, together. None when all were tried.
    std::span<const unsigned> next() noexcept {
        const std::size_t from = tried_;
        tried_ += std::min(batch_, order_.size() - from);
        batch_ *= 2;
        return std::span(order_).subspan(from, tried_ - from);
    }

private:
    std::vector<unsigned> order_;
    std::size_t tried_ = 0;
    std::size_t batch_ = 1;
};

} // namespace redlock::primitive
