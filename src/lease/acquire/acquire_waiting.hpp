#pragma once

#include "lease/acquire/acquire.hpp"
#include "lease/lessee.hpp"
#include "time/timer_queue.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>
#include <utility>

namespace redlock::lock {

/// A lease that came from another caller of this process, and what the engine says of it.
class acquire::takeover final : public detail::pooled,
                                private engine::renewal_listener,
                                private engine::token_listener {
public:
    takeover(acquire& by, handover&& l) noexcept : lease(std::move(l)), by_(by) {}

    /// Asks whether the key is still ours, and gives it this life.
    void confirm(std::chrono::milliseconds life) {
        renewal_ = by_.lessee_->engine().renew(lease.of, life, lease.fencing_token, *this);
    }
    void advance_token() { advance_ = by_.lessee_->engine().advance_token(lease.of, *this); }

    handover lease; ///< of nobody when it was granted or released
    engine::outcome confirmed = engine::outcome::inconclusive;
    time::instant confirmed_from{};
    engine::outcome token = engine::outcome::confirmed;
    std::uint64_t fencing_token = 0; ///< the new one

    bool is_ours() const noexcept {
        return confirmed == engine::outcome::confirmed && token == engine::outcome::confirmed;
    }
    bool is_gone() const noexcept {
        return confirmed == engine::outcome::gone || token == engine::outcome::gone;
    }
    /// Why it is neither.
    errc doubt() const noexcept {
        return confirmed == engine::outcome::inconclusive ? renewal_doubt_ : token_doubt_;
    }
    /// What else there is to say of that.
    const engine::failure* more() const noexcept {
        return confirmed == engine::outcome::inconclusive ? renewal_failure_ : token_failure_;
    }

private:
    void renewal_decided(engine::outcome decided, time::instant sent_at, errc why,
                         const engine::failure* told) noexcept override {
        confirmed = decided;
        confirmed_from = sent_at;
        renewal_doubt_ = why;
        renewal_failure_ = told;
        by_.raise(lease_decided);
    }
    void token_decided(engine::outcome decided, std::uint64_t advanced, errc why,
                       const engine::failure* told) noexcept override {
        token = decided;
        fencing_token = advanced;
        token_doubt_ = why;
        token_failure_ = told;
        by_.raise(acquire::token_decided);
    }

    acquire& by_;
    errc renewal_doubt_ = errc::no_quorum;
    errc token_doubt_ = errc::no_quorum;
    const engine::failure* renewal_failure_ = nullptr;
    const engine::failure* token_failure_ = nullptr;
    engine::errand_pointer<> renewal_;
    engine::errand_pointer<> advance_;
};

class acquire::waiting final : public detail::pooled, public time::timer, public local_waiter {
public:
    explicit waiting(acquire& owner) noexcept : owner_(owner) {}

    std::unique_ptr<takeover> taken;

private:
    void turn_came(local_turn turn) noexcept override {
        owner_.turn_ = std::move(turn);
        owner_.raise(has_turn);
    }
    void lease_came(local_turn turn, handover lease) noexcept override {
        taken.reset(new takeover(owner_, std::move(lease)));
        turn_came(std::move(turn));
    }
    const engine::claim& wanted() const noexcept override { return *owner_.claim_; }
    void expired(time::instant) noexcept override { owner_.raise(time_passed); }

    acquire& owner_;
};

inline acquire::waiting& acquire::waits() {
    if (!waiting_) waiting_.reset(new waiting(*this));
    return *waiting_;
}
inline acquire::takeover& acquire::taken() const noexcept { return *waiting_->taken; }
inline bool acquire::has_lease() const noexcept {
    return waiting_ && waiting_->taken && waiting_->taken->lease.of;
}

} // namespace redlock::lock
