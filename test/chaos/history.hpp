#pragma once

#include "chaos/deed.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace redlock::chaos {

/// Now, in nanoseconds of CLOCK_BOOTTIME: one clock for all processes of a machine.
std::int64_t now() noexcept;

/// What a client writes of one lease. All times are of `now()`. A client may be killed between any two
/// stores.
struct hold {
    std::atomic<std::int64_t> asked;   ///< right before the call
    std::atomic<std::int64_t> granted; ///< right before the lease was first seen valid
    /// Right before it was last seen valid, or until when its key was kept; 0 when it never was.
    std::atomic<std::int64_t> last_valid;
    std::atomic<std::int64_t> downgraded; ///< right before it was made one that others may have; 0 if never
    std::atomic<std::uint64_t> token;
    std::atomic<std::uint32_t> key;
    std::atomic<std::uint32_t> reads; ///< 1 of a lease that others may have as well, from the grant on
};

/// What one client process wrote, and those that took its place after it was killed.
struct page {
    std::atomic<std::uint32_t> holds;
    std::atomic<std::uint32_t> calls;     ///< acquires begun
    std::atomic<std::uint32_t> cancelled; ///< by the client itself
    std::atomic<std::uint32_t> failed; ///< ended with an error that says why, such as that there is no quorum
    std::atomic<std::uint32_t> astray; ///< leases of an owner that were not as his others of the same key
    std::array<std::atomic<std::uint32_t>, deed_count> done; ///< by `deed`

    void count(deed what) noexcept { ++done[static_cast<std::size_t>(what)]; }
};

/// A resource that is written to under a lock, and takes no write with a token below one it has seen.
struct resource {
    std::atomic<std::uint64_t> highest;
    std::atomic<std::uint32_t> accepted;
    std::atomic<std::uint32_t> rejected; ///< came late, from a holder whose lease was over
    /// Rejected although the lease was valid before and after; of one that is led, also each time that an
    /// observer was told of an earlier leader.
    std::atomic<std::uint32_t> wronged;

    /// Whether the write was taken.
    bool write(std::uint64_t token) noexcept;
    /// Whether what was read is not older than what was written under another token: nobody wrote since with
    /// a token above this one.
    bool read(std::uint64_t token) noexcept { return token >= highest.load(); }
};

/// Locks that one client holds at a time.
inline constexpr std::size_t single_keys = 3;
/// Permits of one more key: each is watched over as a key of its own.
inline constexpr std::size_t permits = 2;
/// One more that is read and written.
inline constexpr std::size_t shared_key = single_keys + permits;
/// One more that is led.
inline constexpr std::size_t lead_key = shared_key + 1;
/// One more that is kept for a while behind the unlock.
inline constexpr std::size_t kept_key = lead_key + 1;
inline constexpr std::size_t keys = kept_key + 1;

/// Whether a client is killed now and then; the others must leave nothing behind.
constexpr bool mortal(std::size_t client) { return client % 2 == 1; }

/// The memory that the clients and the checker share: a file that each maps. Thread-safe.
class history {
public:
    /// Maps the file; makes it when there is none. Throws std::system_error.
    history(const std::string& path, std::size_t clients, std::size_t holds_of_each);
    history(const history&) = delete;
    history& operator=(const history&) = delete;
    ~history();

    std::size_t clients() const noexcept { return clients_; }
    page& page_of(std::size_t client) const noexcept;
    hold& hold_of(std::size_t client, std::size_t index) const noexcept;
    resource& resource_of(std::size_t key) const noexcept;
    /// How often all clients have done it.
    std::uint64_t times(deed what) const noexcept;

    /// A new record of this client, or null when its space is used up.
    hold* begin_hold(std::size_t client) const noexcept;

private:
    std::size_t stride() const noexcept { return sizeof(page) + capacity_ * sizeof(hold); }

    std::size_t clients_;
    std::size_t capacity_;
    std::size_t size_;
    std::byte* memory_ = nullptr;
};

} // namespace redlock::chaos
