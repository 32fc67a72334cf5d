#pragma once

#include "engines/redis/quorum/renew_round.hpp"
#include "lease/lease_waiter.hpp"
#include "lease/runtime.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <chrono>
#include <cstdint>

namespace redlock::lock {

/// Told how a renewal goes.
class renewal_listener {
public:
    /// The round has its verdict, and nobody else will hear of it.
    virtual void renewal_decided() noexcept = 0;
    /// No reply is outstanding any more. The renewal may be destroyed here.
    virtual void renewal_settled() noexcept = 0;

protected:
    ~renewal_listener() = default;
};

/// One renewal of a lease, from the sending to the last reply. It exists for that time only: a lease that is
/// merely held has neither a routine nor a round.
class renewal final : private operation, public detail::pooled {
public:
    /// `asked_for_by` are those who want to hear of the outcome; they are taken over.
    renewal(runtime& r, renewal_listener& listener, live_list<lease_waiter>& asked_for_by) noexcept
        : operation(r.ready()), listener_(listener), round_(r, *this, is_decided, is_settled) {
        waiters_.swap(asked_for_by);
    }

    /// May come to the end at once. The claim must live until it settles.
    void start(const claim& c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
        run(renew(c, life, fencing_token));
    }

    const renew_round& round() const noexcept { return round_; }
    live_list<lease_waiter>& waiters() noexcept { return waiters_; }

private:
    enum event : unsigned { is_decided = 1, is_settled = 2 };

    routine renew(const claim& c, std::chrono::milliseconds life, std::uint64_t fencing_token);
    void routine_ended() noexcept override { listener_.renewal_settled(); }

    renewal_listener& listener_;
    live_list<lease_waiter> waiters_;
    renew_round round_;
};

} // namespace redlock::lock
