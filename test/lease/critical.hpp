#pragma once

#include <atomic>
#include <cstdint>

namespace redlock::test {

/// What only one at a time may do; threads count what goes wrong.
struct critical {
    void enter(std::uint64_t token) noexcept {
        if (inside.exchange(true)) ++overlaps;
        if (token != 0 && last_token.exchange(token) >= token) ++overlaps;
        ++entries;
    }
    void leave() noexcept { inside = false; }

    std::atomic<bool> inside{false};
    std::atomic<std::uint64_t> last_token{0};
    std::atomic<int> overlaps{0};
    std::atomic<int> entries{0};
};

} // namespace redlock::test
