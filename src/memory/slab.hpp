#pragma once

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
    std::uint32_t used() const noexcept { return used_; }
    bool is_full() const noexcept { return used_ == capacity_; }

    /// Null when it is full.
    void* take() noexcept {
        if (!free_) return take_fresh();
        ++used_;
        block* const taken = free_;
        free_ = taken->next;
        return taken;
    }
    void put(void* memory) noexcept {
        --used_;
        free_ = ::new (memory) block{free_};
    }

private:
    struct block {
        block* next;
    };

    slab(thread_heap& owner, std::uint32_t lines, std::uint32_t place, std::uint32_t own) noexcept
        : owner_(owner),
          lines_(lines),
          place_(place),
          own_(own),
          capacity_(static_cast<std::uint32_t>(length / line / lines) - 1) {}
    ~slab() = default;

    static std::size_t line_of_header(std::uintptr_t begin) noexcept;
    void* take_fresh() noexcept;

    thread_heap& owner_;
    block* free_ = nullptr;
    const std::uint32_t lines_;
    const std::uint32_t place_;
    const std::uint32_t own_; ///< the block that this header stands in
    const std::uint32_t capacity_;
    std::uint32_t used_ = 0;
    std::uint32_t fresh_ = 0; ///< this block and those behind it were never taken
};

} // namespace redlock::memory
