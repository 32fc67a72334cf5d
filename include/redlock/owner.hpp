#pragma once

#include <redlock/detail/language.hpp>

#include <cstdint>
#include <utility>

namespace redlock {

namespace detail {
/// Never 0, and never twice in a process. Thread-safe.
std::uint64_t draw_owner() noexcept;
} // namespace detail

/// Somebody who may lock again what he holds already: give it in `lock_options::owner`. It stands for a task,
/// never for a thread.
///
/// It may be destroyed while its leases are held: they stay what they are. A moved-from owner is nobody, with
/// whom a call completes with `errc::invalid_option`. Not for several threads at once, like any value.
class owner {
public:
    /// One that is told from all others.
    owner() noexcept : identity_(detail::draw_owner()) {}
    /// Becomes the other one, which is nobody from then on.
    owner(owner&& other) noexcept : identity_(std::exchange(other.identity_, 0)) {}
    /// Likewise.
    owner& operator=(owner&& other) noexcept {
        identity_ = std::exchange(other.identity_, 0);
        return *this;
    }
    owner(const owner&) = delete;
    owner& operator=(const owner&) = delete;
    ~owner() = default;

    /// Tells it from all other owners of this process; 0 for nobody.
    std::uint64_t identity() const noexcept { return identity_; }

private:
    std::uint64_t identity_;
};

} // namespace redlock
