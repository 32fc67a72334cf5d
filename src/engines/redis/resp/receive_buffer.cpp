#include "engines/redis/resp/receive_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace redlock::resp {
namespace {

constexpr std::size_t usual_capacity = std::size_t{16} * 1024;
constexpr std::size_t least_space = std::size_t{4} * 1024;

std::size_t capacity_for(std::size_t message) noexcept {
    constexpr auto most = std::numeric_limits<std::size_t>::max() / 2;
    return std::max(usual_capacity, std::min(message, most) + least_space);
}

} // namespace

receive_buffer::receive_buffer(std::size_t message)
    : largest_capacity_(capacity_for(message)),
      capacity_(usual_capacity),
      bytes_(std::make_unique_for_overwrite<char[]>(usual_capacity)) {}

std::span<char> receive_buffer::prepare() {
    const std::size_t held = end_ - begin_;
    if (capacity_ > usual_capacity && held <= usual_capacity / 2) {
        move_to(usual_capacity);
    } else if (held == 0) {
        begin_ = end_ = 0;
    } else if (capacity_ - end_ < least_space) {
        if (capacity_ - held >= least_space || capacity_ == largest_capacity_) {
            std::memmove(bytes_.get(), bytes_.get() + begin_, held);
            begin_ = 0;
            end_ = held;
        } else {
            move_to(std::min(capacity_ * 2, largest_capacity_));
        }
    }
    return {bytes_.get() + end_, capacity_ - end_};
}

void receive_buffer::commit(std::size_t n) noexcept {
    assert(n <= capacity_ - end_);
    end_ += std::min(n, capacity_ - end_);
}

void receive_buffer::move_to(std::size_t capacity) {
    auto moved = std::make_unique_for_overwrite<char[]>(capacity);
    std::copy(bytes_.get() + begin_, bytes_.get() + end_, moved.get());
    bytes_ = std::move(moved);
    capacity_ = capacity;
    end_ -= begin_;
    begin_ = 0;
}

} // namespace redlock::resp
