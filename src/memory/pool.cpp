#include "memory/slab.hpp"
#include "memory/thread_heap.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>
#include <utility>

namespace redlock::detail {

namespace {

using memory::slab;
using memory::thread_heap;

constexpr std::size_t largest = thread_heap::most_lines * slab::line;
// Blocks begin where a cache line does: what belongs together is then touched together.
constexpr std::align_val_t alignment{block_alignment};
static_assert(block_alignment == slab::line);

// AddressSanitizer cannot tell that a block of a slab is not to be used: under it every block is new.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif
#else
constexpr bool keeps_blocks = true;
#endif

bool is_kept(std::size_t size) noexcept { return keeps_blocks && size - 1 < largest; } // not of 0
std::uint32_t lines_of(std::size_t size) noexcept {
    return static_cast<std::uint32_t>((size - 1) / slab::line + 1);
}

// Needs no construction, so that a look costs nothing.
constinit thread_local thread_heap* local = nullptr;
/// Objects may still come and go on a thread whose thread-local variables have been destroyed.
constinit thread_local bool thread_ends = false;

struct end_of_thread {
    ~end_of_thread() {
        thread_ends = true;
        if (local) std::exchange(local, nullptr)->end();
    }
};

struct heap_end {
    void operator()(thread_heap* h) const noexcept { h->end(); }
};

/// For a thread that has no heap: not yet, or not any more, when each block gets one to itself. Apart from
/// `take_block`, which without it needs no register that it would have to save.
[[gnu::noinline]] void* take_first(std::uint32_t lines) {
    std::unique_ptr<thread_heap, heap_end> heap(new thread_heap);
    if (thread_ends) return heap->take(lines);
    static thread_local end_of_thread at_the_end;
    (void)at_the_end;
    local = heap.release();
    return local->take(lines);
}

} // namespace

void* take_block(std::size_t size) {
    if (!is_kept(size)) return ::operator new(size, alignment);
    return local ? local->take(lines_of(size)) : take_first(lines_of(size));
}

void give_back_block(void* block, std::size_t size) noexcept {
    if (!is_kept(size)) return ::operator delete(block, alignment);
    slab& s = slab::of(block);
    if (&s.owner() == local)
        local->put(s, block);
    else
        s.owner().put_from_elsewhere(s, block);
}

} // namespace redlock::detail
