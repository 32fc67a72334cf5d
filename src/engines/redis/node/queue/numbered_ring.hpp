#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace redlock::node {

/// A queue in one block of memory whose elements go by running numbers, oldest first. Its owner makes sure
/// that there is room. Not thread-safe.
template <class T>
class numbered_ring {
public:
    bool empty() const noexcept { return front_ == back_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(back_ - front_); }
    bool has_room() const noexcept { return size() < capacity_; }
    std::size_t capacity() const noexcept { return capacity_; }

    /// Running numbers: of the oldest element, and of the next to be pushed.
    std::uint64_t front_number() const noexcept { return front_; }
    std::uint64_t back_number() const noexcept { return back_; }

    T& at(std::uint64_t number) noexcept { return elements_[number & (capacity_ - 1)]; }
    const T& at(std::uint64_t number) const noexcept { return elements_[number & (capacity_ - 1)]; }
    T& front() noexcept { return at(front_); }
    const T& front() const noexcept { return at(front_); }
    T& back() noexcept { return at(back_ - 1); }

    /// While there is room.
    void push(const T& element) noexcept { at(back_++) = element; }
    void pop() noexcept { ++front_; }
    void clear() noexcept { front_ = back_; }

    /// Twice the room. Throws std::bad_alloc.
    void grow() {
        constexpr std::size_t smallest = 64;
        const std::size_t wider = capacity_ == 0 ? smallest : capacity_ * 2;
        auto moved = std::make_unique_for_overwrite<T[]>(wider);
        for (auto number = front_; number != back_; ++number)
            moved[number & (wider - 1)] = at(number);
        elements_ = std::move(moved);
        capacity_ = wider;
    }

    /// Of an empty one: its memory.
    void release() noexcept {
        elements_.reset();
        capacity_ = 0;
    }

private:
    std::unique_ptr<T[]> elements_; ///< number n stands at n modulo the capacity
    std::size_t capacity_ = 0;      ///< a power of two, or 0
    std::uint64_t front_ = 0;
    std::uint64_t back_ = 0;
};

} // namespace redlock::node
