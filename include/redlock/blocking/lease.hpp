#pragma once

#include <redlock/detail/language.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

namespace redlock::blocking {

class client;
namespace detail {
struct held_lease;
}

/// A lock that was granted to a thread's call: `redlock::lease` for programs without a loop of Asio. A thread
/// of the client renews it until it is unlocked or destroyed.
///
/// Move-only. Ownership is the object, never the thread: it may be unlocked by another. The const members may
/// be called from any thread at any time; the object itself must not be moved, unlocked or destroyed while
/// another thread uses it. It may outlive its client, and is over then. A default-made or moved-from lease is
/// empty: never valid, `unlock` gives `errc::lease_lost`.
///
/// What blocks must not be called by a callback that was registered with `stop_token()` or
/// `lock_options::stop`, or by an observer: these run on the client's thread, which would wait for itself. It
/// gives `std::errc::resource_deadlock_would_occur` there.
class [[nodiscard]] lease {
public:
    lease() noexcept;
    lease(lease&&) noexcept;            ///< leaves the other lease empty
    lease& operator=(lease&&) noexcept; ///< likewise; what this lease was before is released
    /// Releases the key when it was not unlocked. Does not block: the nodes are told in the background, and
    /// the client's destructor waits for that.
    ~lease();

    /// Whether this object stands for a grant, lost or not.
    explicit operator bool() const noexcept { return held_ != nullptr; }

    /// Whether the right to the key can be relied on now, as of `redlock::lease::valid`.
    bool valid() const noexcept;

    /// How much longer `valid()` stays true without another renewal; 0 when it is false.
    std::chrono::nanoseconds remaining() const noexcept;

    /// The key as it was given, without the prefix. Valid until the lease is destroyed.
    std::string_view key() const noexcept;

    /// The number to hand to the protected resource; nothing without `lock_options::fencing`.
    std::optional<std::uint64_t> fencing_token() const noexcept;

    /// Which of several permits it is, from 0; 0 without `lock_options::permits`.
    unsigned slot() const noexcept;

    /// Stops when the lease is lost or its client closed, not by unlocking. Callbacks registered with it run
    /// on the client's thread and must not block.
    std::stop_token stop_token() const noexcept;

    /// Gives the key back, and waits until a majority of nodes has heard of it: for `config::node_timeout` at
    /// most, or what far nodes are given (see there). The lease is not `valid()` from the call on. Throws
    /// `boost::system::system_error` with what `redlock::lease::async_unlock` gives:
    /// `errc::lease_lost`, `errc::no_quorum` or `errc::closed`.
    void unlock();
    /// The same without throwing.
    void unlock(boost::system::error_code& error) noexcept;

    /// Renews now, with a new ttl that later renewals keep; waits like `unlock`. Throws what
    /// `redlock::lease::async_extend` gives: `errc::lease_lost`, `errc::no_quorum` (its former validity is
    /// kept), `errc::invalid_option` or `errc::closed`.
    void extend(std::chrono::milliseconds ttl);

private:
    friend class client;
    explicit lease(std::unique_ptr<detail::held_lease> held) noexcept;

    std::unique_ptr<detail::held_lease> held_;
};

} // namespace redlock::blocking
