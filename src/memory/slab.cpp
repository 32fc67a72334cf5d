#include "memory/slab.hpp"

#include <cstdlib>

namespace redlock::memory {

slab& slab::create(thread_heap& owner, std::uint32_t lines, std::uint32_t place) {
    static_assert(sizeof(slab) <= 2 * line);
    // Not by an aligned operator new, which rounds the size up to whole slabs.
    void* memory = nullptr;
    if (::posix_memalign(&memory, length, taken_length) != 0) throw std::bad_alloc();
    return *::new (header_of(reinterpret_cast<std::uintptr_t>(memory) / length)) slab(owner, lines, place);
}

slab::slab(thread_heap& owner, std::uint32_t lines, std::uint32_t place) noexcept
    : owner_(owner), lines_(lines), place_(place) {
    const std::size_t header = line_of_header(number());
    for (std::size_t first = 0; first + lines <= taken_length / line; first += lines) {
        const bool has_header = first < header + sizeof(slab) / line && header < first + lines;
        if (has_header) continue;
        free_[first / bits] |= std::uint64_t{1} << first % bits;
        ++capacity_;
    }
}

void slab::destroy(slab& s) noexcept {
    void* const memory = s.at(0);
    s.~slab();
    std::free(memory);
}

} // namespace redlock::memory
