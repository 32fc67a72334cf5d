#pragma once

#include <cstddef>

namespace redlock::test {

/// How often this thread has allocated with `new` so far. Linking it in replaces the global `operator new`.
std::size_t allocation_count() noexcept;

} // namespace redlock::test
