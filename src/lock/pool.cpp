#include <redlock/detail/pool.hpp>

#include <array>

namespace redlock::detail {

namespace {

constexpr std::size_t step = 64;
constexpr std::size_t largest = 1024;
constexpr std::size_t kept_bytes = std::size_t{1} << 20; // for each size
// Blocks begin where a cache line does: what belongs together is then touched together.
constexpr std::align_val_t alignment{step};

/// Blocks of one size that nobody uses.
struct shelf {
    struct block {
        block* next;
    };

    void* take() noexcept {
        block* const taken = top;
        top = taken->next;
        --kept;
        return taken;
    }
    void put(void* memory) noexcept {
        top = ::new (memory) block{top};
        ++kept;
    }

    block* top = nullptr;
    std::size_t kept = 0;
};

// Needs neither construction nor destruction, so that a look costs nothing.
constinit thread_local std::array<shelf, largest / step> shelves{};
/// Objects may still be destroyed on a thread whose thread-local variables have been.
constinit thread_local bool thread_ends = false;

/// Gives everything back when the thread ends.
struct clearance {
    ~clearance() {
        thread_ends = true;
        for (shelf& s : shelves)
            while (s.top)
                ::operator delete(s.take(), alignment);
    }
};

// AddressSanitizer cannot tell that a block on a shelf is not to be used: under it there are none.
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

std::size_t index_of(std::size_t size) noexcept { return (size - 1) / step; } // of 0: past all shelves

void* take_new(std::size_t size) { return ::operator new((size + step - 1) / step * step, alignment); }

/// Whether blocks may be put on an empty shelf.
bool opens() noexcept {
    if (thread_ends) return false;
    static thread_local clearance at_the_end;
    (void)at_the_end;
    return true;
}

} // namespace

void* take_block(std::size_t size) {
    const std::size_t index = index_of(size);
    if (index >= shelves.size() || !shelves[index].top) return take_new(size);
    return shelves[index].take();
}

void give_back_block(void* block, std::size_t size) noexcept {
    const std::size_t index = index_of(size);
    const bool fits =
        keeps_blocks && index < shelves.size() && shelves[index].kept * (index + 1) * step < kept_bytes;
    if (!fits || (!shelves[index].top && !opens())) return ::operator delete(block, alignment);
    shelves[index].put(block);
}

} // namespace redlock::detail
