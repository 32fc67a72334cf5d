#pragma once

#include "lease/lease_waiter.hpp"
#include "lease/owned/owned_locks.hpp"
#include "lease/owned/reentry.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/operations.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace redlock::lock {

/// A call of an owner that waits for another one of his, which asks for the key already.
class owned_waiter : public turn::list_hook {
public:
    /// The key is the owner's.
    virtual void owner_has_it() noexcept = 0;
    /// The other one was not granted it: this one asks for it.
    virtual void asks_now() = 0;

protected:
    ~owned_waiter() = default;
};

/// What an owner has of one key: one grant, for which each of his leases stands, until the last of them was
/// given back. All members on the client's strand.
class owned_lock final : public std::enable_shared_from_this<owned_lock>, private lease_waiter {
public:
    owned_lock(owned_locks& all, std::uint64_t owner, std::string_view full_key)
        : all_(&all), owner_(owner), full_key_(full_key) {}

    /// While it is asked for, others of the owner wait.
    bool is_asked_for() const noexcept { return is_asked_for_; }
    void begin_asking() noexcept { is_asked_for_ = true; }
    void wait(owned_waiter& w) noexcept { waiting_.push_back(w); }
    /// It is the owner's. He who asked for it enters next.
    void granted(detail::lease_pointer grant);
    /// It was not granted to who asked for it. The last of all this for him, if nobody waits.
    void not_granted();

    bool is_held() const noexcept { return grant_ != nullptr; }
    bool is_lost() const noexcept { return is_lost_; }
    /// Lost, or about to be. By the clock: in a process that stood still whoever enters may come before the
    /// news.
    bool is_over() const noexcept;
    bool is_fenced() const noexcept;
    /// Whether it keeps out those who read, too.
    bool writes() const noexcept;
    /// Another lease of the grant. A ttl that is longer than that of the grant becomes that of the grant.
    detail::lease_pointer enter(std::chrono::milliseconds ttl, std::stop_source stop);
    /// Those who waited enter, each by itself.
    void let_in();

    // For its leases.
    void extend(lease_waiter& w);
    /// One of them is given back, and `told` hears of that where somebody waits for it.
    void leave(lease_waiter* told) noexcept;
    turn::live_list<reentry>& leases() noexcept { return leases_; }

private:
    /// Nobody waits for the end of it.
    struct extension final : lease_waiter {
        void answered(const boost::system::error_code&) noexcept override {}
    };

    void answered(const boost::system::error_code& outcome) noexcept override;

    friend class owned_locks;
    owned_locks* all_; ///< nothing once it is none of those any more
    const std::uint64_t owner_;
    const std::string full_key_;
    detail::lease_pointer grant_; ///< that nobody else refers to
    turn::live_list<owned_waiter> waiting_;
    turn::live_list<reentry> leases_; ///< that were not given back
    extension extension_;
    std::size_t entries_ = 0;
    bool is_asked_for_ = false;
    bool is_lost_ = false;
};

} // namespace redlock::lock
