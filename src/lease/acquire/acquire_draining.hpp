#pragma once

#include "core/mistake.hpp"
#include "engine/contest.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/lessee.hpp"

#include <redlock/detail/pool.hpp>

#include <utility>

namespace redlock::lock {

/// A key that was granted for writing, until nobody reads any more.
class acquire::draining final : public detail::pooled,
                                private engine::drain_listener,
                                private engine::token_listener {
public:
    draining(acquire& by, engine::grant&& g, const engine::wish& w)
        : granted(std::move(g)), by_(by), drain_(by.lessee_->engine().drain(w, *this)) {}

    void start() { drain_.start(); }
    void cancel(errc why) noexcept {
        if (!advance_) return drain_.cancel(why);
        is_cancelled_ = true;
        why_cancelled_ = why;
    }

    engine::grant granted;

private:
    void others_read() noexcept override { by_.begin_to_wait(by_.claim_->key()); }
    /// Some of those who read may have got their tokens behind this one.
    void drained(core::instant sent_at) noexcept override {
        if (!by_.terms_.fencing || planted(core::mistake::readers_seen_first)) return by_.drained(sent_at);
        sent_at_ = sent_at;
        advance_ = by_.lessee_->engine().advance_token(granted.claim, *this);
    }
    void token_decided(engine::outcome decided, std::uint64_t fencing_token, errc why,
                       const engine::failure* more) noexcept override {
        if (is_cancelled_) return by_.not_drained(why_cancelled_, nullptr);
        if (decided == engine::outcome::gone) return by_.not_drained(errc::lease_lost, nullptr);
        if (decided == engine::outcome::inconclusive) return by_.not_drained(why, more);
        granted.fencing_token = fencing_token;
        by_.drained(sent_at_);
    }
    void not_drained(errc why, const engine::failure* more) noexcept override { by_.not_drained(why, more); }

    acquire& by_;
    engine::contest& drain_; ///< until it has come out
    core::instant sent_at_{};
    engine::errand_pointer<> advance_;
    bool is_cancelled_ = false;
    errc why_cancelled_{};
};

} // namespace redlock::lock
