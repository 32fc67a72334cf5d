#pragma once

#include "engine/engine.hpp"
#include "engines/pair/claim.hpp"
#include "engines/pair/joint_outcome.hpp"
#include "turn/live_list.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

namespace redlock::pair {

class pair_engine;

/// Asks both engines at once whether a key is still ours.
class renewal final : public engine::errand, public detail::pooled {
public:
    renewal(pair_engine& by, const claim& held, std::chrono::milliseconds life, std::uint64_t fencing_token,
            engine::renewal_listener& told);

    void let_go() noexcept override { delete this; }

private:
    /// Hears one of the two.
    struct ear final : engine::renewal_listener {
        ear(renewal& by, place which) noexcept : of(by), at(which) {}
        void renewal_decided(engine::outcome decided, core::instant sent_at, errc why,
                             const engine::failure* more) noexcept override {
            of.answered(at, decided, sent_at, why, more);
        }
        renewal& of;
        const place at;
    };
    ~renewal() = default;

    void answered(place of, engine::outcome said, core::instant sent_at, errc why,
                  const engine::failure* more) noexcept;

    engine::renewal_listener& told_;
    joint_outcome outcome_;
    bool is_told_ = false;
    const engine::failure* more_ = nullptr; ///< there as long as the renewals below are
    ear at_first_{*this, place::first};
    ear at_second_{*this, place::second};
    engine::errand_pointer<> first_;
    engine::errand_pointer<> second_;
};

/// Gives a key back: first to the second engine, and when that has answered to the first, so that whoever is
/// granted it by the first finds it free at the second. Owns itself until both have answered.
class release final : public turn::list_hook, public detail::pooled {
public:
    release(pair_engine& by, claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
            bool lost);

    void start();
    const claim& what() const noexcept { return *held_; }

private:
    friend class pair_engine;
    struct ear final : turn::outcome_waiter {
        ear(release& by, place which) noexcept : of(by), at(which) {}
        void answered(const boost::system::error_code& outcome) noexcept override {
            of.answered(at, outcome);
        }
        void hears_of(const boost::system::error_code& outcome,
                      const engine::failure& more) noexcept override {
            for (turn::outcome_waiter& w : of.told_)
                w.hears_of(outcome, more);
        }
        release& of;
        const place at;
    };
    ~release() = default;

    void hand_back(engine::engine& to, engine::claim_pointer what, ear& by);
    void answered(place of, const boost::system::error_code& outcome) noexcept;

    pair_engine& engine_;
    const claim_pointer held_;
    const core::instant keys_end_;
    turn::outcome_waiters told_;
    const bool lost_;
    errc second_{};
    ear at_first_{*this, place::first};
    ear at_second_{*this, place::second};
};

} // namespace redlock::pair
