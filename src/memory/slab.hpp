#pragma once

#include <atomic>
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
    static slab& of(void* block) noexcept;

    thread_heap& owner() const noexcept { return owner_; }
    std::uint32_t lines() const noexcept { return lines_; }
    std::uint32_t place() const noexcept { return place_; }
    bool is_used() const noexcept { return used_ != 0; }
    bool is_full() const noexcept { return used_ == capacity_; }

    /// Null when it is full.
    void* take() noexcept {
        if (!free_) return take_fresh();
        ++used_;
        block* const taken = free_;
        free_ = taken->next;
        __builtin_prefetch(free_, 1); // whoever comes next writes to it at once
        return taken;
    }
    void put(void* memory) noexcept {
        --used_;
        free_ = ::new (memory) block{free_};
    }

    /// When it is not used: its blocks are taken in the order of their addresses again.
    void start_afresh() noexcept {
        free_ = nullptr;
        fresh_ = 0;
    }

    /// The owner leaves it to those who have its blocks. Whether there are none, and it is to be destroyed.
    bool is_left() noexcept {
        const std::int32_t used = used_; // whoever gives the last block back destroys the slab
        return left_.fetch_add(used, std::memory_order_acq_rel) + used == 0;
    }
    /// A block comes back that is not used again, on any thread. Whether it was the last one.
    bool gets_back() noexcept { return left_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

private:
    struct block {
        block* next;
    };

    slab(thread_heap& owner, std::uint32_t lines, std::uint32_t place, std::uint32_t own) noexcept
        : owner_(owner), lines_(lines), place_(place), own_(own), capacity_(blocks_of(lines) - 1) {}
    ~slab() = default;

    // Not its last line, which is for the bookkeeping of the heap: with it the next slab could not begin
    // right behind this one.
    static constexpr std::size_t taken_length = length - line;
    static constexpr std::int32_t blocks_of(std::uint32_t lines) noexcept {
        return static_cast<std::int32_t>(taken_length / line / lines);
    }
    static std::size_t line_of_header(std::uintptr_t begin) noexcept;
    void* take_fresh() noexcept;

    thread_heap& owner_;
    block* free_ = nullptr;
    const std::uint32_t lines_;
    const std::uint32_t place_;
    const std::uint32_t own_; ///< the block that this header stands in
    const std::int32_t capacity_;
    std::int32_t used_ = 0;
    std::uint32_t fresh_ = 0; ///< this block and those behind it were never taken
    /// After it was left: blocks in use, less those that came back in the meantime.
    std::atomic<std::int32_t> left_{0};
};

} // namespace redlock::memory
