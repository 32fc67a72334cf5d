#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace redlock::detail {

/// Memory for objects that come and go with every lock. Each thread takes its blocks of up to 1 KiB from
/// slabs of 32 KiB, those of one size from the first that it knows to have room; larger blocks come from the
/// heap. A thread keeps unused slabs, up to 1 MiB for each of sixteen sizes, until it ends; a slab that is
/// used then goes with the last of its blocks. A block may be given back on another thread than it was taken
/// on: the one that took it has it back when it next needs room. Thread-safe. Throws std::bad_alloc.
void* take_block(std::size_t size);
void give_back_block(void* block, std::size_t size) noexcept;

/// What a block begins at a multiple of.
inline constexpr std::size_t block_alignment = 64;

/// An allocator over these blocks. What asks for more than their alignment comes from the heap.
template <class T>
class pool_allocator {
public:
    using value_type = T;

    pool_allocator() noexcept = default;
    template <class U>
    pool_allocator(const pool_allocator<U>&) noexcept {}

    T* allocate(std::size_t n) {
        if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
        if constexpr (alignof(T) > block_alignment)
            return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
        else
            return static_cast<T*>(take_block(n * sizeof(T)));
    }
    void deallocate(T* p, std::size_t n) noexcept {
        if constexpr (alignof(T) > block_alignment)
            ::operator delete(p, std::align_val_t(alignof(T)));
        else
            give_back_block(p, n * sizeof(T));
    }

    template <class U>
    bool operator==(const pool_allocator<U>&) const noexcept {
        return true;
    }
};

/// Base of classes whose objects live in these blocks.
class pooled {
public:
    static void* operator new(std::size_t size) { return take_block(size); }
    static void operator delete(void* block, std::size_t size) noexcept { give_back_block(block, size); }
};

} // namespace redlock::detail
