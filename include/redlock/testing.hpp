#pragma once

#include <redlock/error.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

namespace redlock {

namespace memory {
class store;
}

/// For tests of programs that use the library.
namespace testing {

/// Does to the engine `memory://name` what the world does to real ones: takes keys away, lets requests fail,
/// lets time pass. All clients of this process with that address share the engine; it lives for as long as
/// one of them, or a handle, refers to it.
///
/// Keys are named as they stand in the engine, with `config::key_prefix`. What a handle did is heard by a
/// client on its own executor, a moment later. All members may be called from any thread, and throw
/// std::bad_alloc alone.
class memory_handle {
public:
    /// The engine of that name: 1 to 64 letters, digits, dots, hyphens and underscores. It need not be in use
    /// yet. Throws std::system_error with `errc::invalid_uri`.
    explicit memory_handle(std::string_view name);

    /// Whoever holds the key loses it now, as if a majority of the nodes had dropped it: stop is requested,
    /// `valid()` turns false. The next one who waits gets the key. False when nobody holds it.
    bool lose(std::string_view key);
    /// Somebody else, who is not there, holds the key for that long, whoever had it before.
    void hold(std::string_view key, std::chrono::milliseconds life);
    /// The next so many requests of any client fail for this reason, such as `no_quorum` or `node_timeout`:
    /// to lock, to renew, to proclaim, to unlock, to look, but not to observe a leader. A key whose release
    /// fails stays until its ttl is over.
    void fail_next(std::size_t requests, errc why = errc::no_quorum);
    /// The clock that leases of this engine are measured with goes forward. Renewals that come due are made,
    /// leases whose time is over end, waits run out. Other clocks go on as before, those of Asio's timers
    /// too.
    void let_time_pass(std::chrono::milliseconds time);

    /// Whether somebody holds the key.
    bool is_held(std::string_view key) const;
    /// How many clients wait for the key. However many callers of one client wait, it counts once.
    std::size_t waiting(std::string_view key) const;

private:
    std::shared_ptr<memory::store> keys_;
};

} // namespace testing

} // namespace redlock
