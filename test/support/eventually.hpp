#pragma once

#include <chrono>
#include <thread>

namespace redlock::test {

/// What a test allows for anything that must happen soon: long enough for a two-core machine under a
/// sanitizer that does other things besides.
inline constexpr std::chrono::seconds patience{45};

/// Waits until `predicate()` is true and returns true, or false when the bound passed. The predicate is
/// called in this thread. It looks again every few milliseconds: what it looks at is in another process, or
/// in another thread that knows nothing of this one, so there is no event to await.
template <class Predicate>
bool eventually(std::chrono::milliseconds bound, Predicate predicate) {
    const auto deadline = std::chrono::steady_clock::now() + bound;
    while (!predicate()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

template <class Predicate>
bool eventually(Predicate predicate) {
    return eventually(patience, std::move(predicate));
}

} // namespace redlock::test
