#pragma once

#include "engines/redis/quorum/renew_round.hpp"
#include "lease/acquire.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace redlock::lock {

/// A lease that came from another caller of this process.
struct acquire::takeover : detail::pooled {
    explicit takeover(handover&& l) noexcept : lease(std::move(l)) {}

    handover lease;                        ///< of nobody when it was granted or released
    std::optional<renew_round> confirming; ///< asks the nodes whether they still know of it
};

/// What an acquire needs only where it has to wait: for its turn, for a place on the wire, for a holder.
/// Apart, so that one that does not wait takes fewer lines of memory.
class acquire::waiting final : public detail::pooled,
                               public core::admission_waiter,
                               public time::timer,
                               public local_waiter,
                               public watch_listener {
public:
    explicit waiting(acquire& owner) noexcept : owner_(owner) {}

    std::unique_ptr<takeover> taken;
    key_watch* watch = nullptr;
    time::instant since = time::instant::max(); ///< it waits for others
    time::instant keep_until{};                 ///< votes
    std::uint8_t keeps = 0;                     ///< of votes, in a row

private:
    void turn_came(local_turn turn) noexcept override {
        owner_.turn_ = std::move(turn);
        owner_.raise(has_turn);
    }
    void lease_came(local_turn turn, handover lease) noexcept override {
        taken.reset(new takeover(std::move(lease)));
        turn_came(std::move(turn));
    }
    void key_may_be_free() noexcept override { owner_.raise(may_be_free); }
    void admitted() noexcept override { owner_.raise(is_admitted); }
    void expired(time::instant) noexcept override { owner_.raise(time_passed); }

    acquire& owner_;
};

inline acquire::waiting& acquire::waits() {
    if (!waiting_) waiting_.reset(new waiting(*this));
    return *waiting_;
}
inline key_watch* acquire::watch() const noexcept { return waiting_ ? waiting_->watch : nullptr; }
inline acquire::takeover& acquire::taken() const noexcept { return *waiting_->taken; }
inline bool acquire::has_lease() const noexcept {
    return waiting_ && waiting_->taken && waiting_->taken->lease.of;
}

} // namespace redlock::lock
