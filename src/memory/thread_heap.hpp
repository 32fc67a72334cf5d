#pragma once

#include "memory/slab.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace redlock::memory {

/// The blocks that one thread has taken, and room for more. Blocks of a size come from the first slab that
/// has room: what is in use stays close together, and what a burst of locks has spread out comes together
/// again as it is given back and taken anew.
///
/// All members are for that thread, except where it says otherwise.
class thread_heap {
public:
    static constexpr std::uint32_t most_lines = 16; ///< of a block
    /// Of each size so many slabs are kept, 1 MiB, for the next burst.
    static constexpr std::uint32_t most_unused = 32;

    thread_heap() = default;
    thread_heap(const thread_heap&) = delete;
    thread_heap& operator=(const thread_heap&) = delete;

    /// From 1 to `most_lines`. Throws std::bad_alloc.
    void* take(std::uint32_t lines) {
        kind& k = kinds_[lines - 1];
        if (!k.first || k.first->is_full()) return take_from_next(k, lines);
        k.unused -= !k.first->is_used();
        return k.first->take();
    }

    void put(slab& s, void* block) noexcept {
        if (s.is_full() || s.is_last()) return put_and_note(s, block);
        s.put(block);
    }

    /// On any other thread, also when that of the heap has ended.
    void put_from_elsewhere(slab& s, void* block) noexcept;

    /// The thread ends: each slab is gone with the last of its blocks, and the heap with the last slab.
    void end() noexcept;

private:
    struct returned_block {
        returned_block* next;
    };

    /// The slabs with blocks of one size.
    struct kind {
        void has_room(slab& s) noexcept;
        void find_room() noexcept;
        void add(slab& s) noexcept;
        std::uint32_t free_place();
        void let_go(slab& s) noexcept;

        slab* first = nullptr; ///< before all others that have room, and may have none itself
        std::uint32_t unused = 0;
        std::vector<slab*> slabs;
        std::vector<std::uint64_t> room; ///< a bit for each: whether it may have room
    };

    ~thread_heap() = default;
    void* take_from_next(kind& k, std::uint32_t lines);
    /// Its slab has room again, or is not used any more.
    void put_and_note(slab& s, void* block) noexcept;
    void put_taken_back(std::size_t most) noexcept;
    /// What `returned_` is after the end: the address of no block.
    returned_block* ended() noexcept { return static_cast<returned_block*>(static_cast<void*>(this)); }
    void let_go_of(slab& s) noexcept;

    std::array<kind, most_lines> kinds_;
    std::atomic<returned_block*> returned_{nullptr}; ///< by other threads
    returned_block* taken_back_ = nullptr;           ///< of those, what is not in its slab yet
    std::atomic<std::size_t> slabs_left_{0};         ///< after the end, and one while it is coming
};

} // namespace redlock::memory
