#include "memory/slab.hpp"

#include <cstdlib>

namespace redlock::memory {

namespace {

std::uintptr_t begin_of(const void* inside) noexcept {
    return reinterpret_cast<std::uintptr_t>(inside) & ~(slab::length - 1);
}

void* at(std::uintptr_t address) noexcept { return reinterpret_cast<void*>(address); }

} // namespace

// In another line from slab to slab: a cache finds a line by the low bits of its address, and all headers
// would drive each other out of the few places for one such pattern.
std::size_t slab::line_of_header(std::uintptr_t begin) noexcept { return begin / length % 64; }

slab& slab::create(thread_heap& owner, std::uint32_t lines, std::uint32_t place) {
    static_assert(sizeof(slab) <= line);
    // Not by an aligned operator new, which rounds the size up to whole slabs.
    void* memory = nullptr;
    if (::posix_memalign(&memory, length, taken_length) != 0) throw std::bad_alloc();
    const std::uintptr_t begin = begin_of(memory);
    const std::size_t header = line_of_header(begin);
    const auto own = static_cast<std::uint32_t>(header / lines);
    return *::new (at(begin + header * line)) slab(owner, lines, place, own);
}

void slab::destroy(slab& s) noexcept {
    const std::uintptr_t begin = begin_of(&s);
    s.~slab();
    std::free(at(begin));
}

slab& slab::of(void* block) noexcept {
    const std::uintptr_t begin = begin_of(block);
    return *std::launder(static_cast<slab*>(at(begin + line_of_header(begin) * line)));
}

void* slab::take_fresh() noexcept {
    if (is_full()) return nullptr;
    fresh_ += fresh_ == own_;
    ++used_;
    return at(begin_of(this) + std::uintptr_t{fresh_++} * lines_ * line);
}

} // namespace redlock::memory
