#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

namespace redlock::memory {

class thread_heap;

/// A run of blocks of one size. It begins at a multiple of its length, so the address of a block leads to it.
class slab {
public:
    static constexpr std::size_t length = std::size_t{1} << 15;
    static constexpr std::size_t line = 64;

    slab(const slab&) = delete;
    slab& operator=(const slab&) = delete;

    /// `lines` is the size of the blocks, `place` where the owner finds the slab. Throws std::bad_alloc.
    static slab& create(thread_heap& owner, std::uint32_t lines, std::uint32_t place);
    static void destroy(slab& s) noexcept;
    static slab& of(void* block) noexcept {
        return *std::launder(static_cast<slab*>(header_of(reinterpret_cast<std::uintptr_t>(block) / length)));
    }

    thread_heap& owner() const noexcept { return owner_; }
    std::uint32_t lines() const noexcept { return lines_; }
    std::uint32_t place() const noexcept { return place_; }
    bool is_used() const noexcept { return used_ != 0; }
    /// Whether one block is used.
    bool is_last() const noexcept { return used_ == 1; }
    bool is_full() const noexcept { return used_ == capacity_; }

    /// While it is not full. What was given back last is taken first, or a block near to it.
    void* take() noexcept {
        while (free_[word_] == 0)
            word_ = (word_ + 1) % words;
        const auto bit = static_cast<std::size_t>(std::countr_zero(free_[word_]));
        free_[word_] &= free_[word_] - 1;
        ++used_;
        return at(word_ * bits + bit);
    }
    void put(void* memory) noexcept {
        const std::size_t first_line = reinterpret_cast<std::uintptr_t>(memory) % length / line;
        word_ = first_line / bits;
        free_[word_] |= std::uint64_t{1} << first_line % bits;
        --used_;
    }

    /// When it is not used: its blocks are taken in the order of their addresses again.
    void start_afresh() noexcept { word_ = 0; }

    /// The owner leaves it to those who have its blocks. Whether there are none, and it is to be destroyed.
    bool is_left() noexcept {
        const std::int32_t used = used_; // whoever gives the last block back destroys the slab
        return left_.fetch_add(used, std::memory_order_acq_rel) + used == 0;
    }
    /// A block comes back that is not used again, on any thread. Whether it was the last one.
    bool gets_back() noexcept { return left_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
    slab(thread_heap& owner, std::uint32_t lines, std::uint32_t place) noexcept;
    ~slab() = default;

    // Not its last line, which is for the bookkeeping of the heap: with it the next slab could not begin
    // right behind this one.
    static constexpr std::size_t taken_length = length - line;
    static constexpr std::size_t bits = 64;
    static constexpr std::size_t words = length / line / bits;

    // In another line from slab to slab: a cache finds a line by the low bits of its address, and all headers
    // would drive each other out of the few places for one such pattern.
    static constexpr std::size_t places_of_header = 64;
    static constexpr std::size_t line_of_header(std::uintptr_t number) noexcept {
        return number % places_of_header;
    }
    /// Of the slab with this number, counted from address 0.
    static void* header_of(std::uintptr_t number) noexcept {
        return reinterpret_cast<void*>(number * length + line_of_header(number) * line);
    }
    std::uintptr_t number() const noexcept { return reinterpret_cast<std::uintptr_t>(this) / length; }
    void* at(std::size_t its_line) const noexcept {
        return reinterpret_cast<void*>(number() * length + its_line * line);
    }

    thread_heap& owner_;
    const std::uint32_t lines_;
    const std::uint32_t place_;
    std::int32_t capacity_ = 0;
    std::int32_t used_ = 0;
    std::size_t word_ = 0; ///< where to look for a free block first
    /// After it was left: blocks in use, less those that came back in the meantime.
    std::atomic<std::int32_t> left_{0};
    /// A bit for each line at which a free block begins. Apart from the blocks: most of them have left the
    /// nearer caches, and whoever takes one writes to it without having to read it.
    alignas(line) std::array<std::uint64_t, words> free_{};
};

} // namespace redlock::memory
