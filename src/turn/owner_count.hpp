#pragma once

#include "turn/only_thread.hpp"

#include <atomic>
#include <cstdint>

namespace redlock::turn {

/// How many owners an object has that counts them itself. For any thread; without locked instructions in a
/// process that has only one.
class owner_count {
public:
    void add() noexcept {
        if (is_only_thread())
            set(value() + 1);
        else
            owners_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Whether that was the last one: what others did before they let go has happened then.
    bool remove() noexcept {
        if (!is_only_thread()) return owners_.fetch_sub(1, std::memory_order_acq_rel) == 1;
        set(value() - 1);
        return value() == 0;
    }

private:
    std::uint32_t value() const noexcept { return owners_.load(std::memory_order_relaxed); }
    void set(std::uint32_t owners) noexcept { owners_.store(owners, std::memory_order_relaxed); }

    std::atomic<std::uint32_t> owners_{0};
};

} // namespace redlock::turn
