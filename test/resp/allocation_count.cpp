#include "resp/allocation_count.hpp"

#include <cstdlib>
#include <new>

// In a file of its own: where a compiler can look into these and inline them, it takes the pairs for
// mismatched. Weak: clang links its sanitizers' own definitions in, and those must win there.

namespace {
thread_local std::size_t count = 0;
}

[[gnu::weak]] void* operator new(std::size_t size) {
    ++count;
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

[[gnu::weak]] void operator delete(void* memory) noexcept { std::free(memory); }

[[gnu::weak]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

std::size_t redlock::test::allocation_count() noexcept { return count; }
