#include "core/lease_state.hpp"

#include "core/backoff.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace redlock::core {

namespace {

// Whoever works for a shorter time needs no renewal.
constexpr nanoseconds soon = std::chrono::milliseconds(10);

// Quick enough for several tries within the two thirds of a ttl that are left, slow enough to be no flood.
nanoseconds pause_before_retry(nanoseconds ttl, unsigned retries, random& r) noexcept {
    using std::chrono::milliseconds;
    const nanoseconds first =
        std::clamp<nanoseconds>(ttl / 100, std::chrono::microseconds(500), milliseconds(10));
    backoff pauses(first, std::clamp<nanoseconds>(ttl / 20, first, milliseconds(250)));
    pauses.skip(retries);
    return pauses.next(r);
}

} // namespace

lease_state::lease_state(const lease_terms& terms, instant sent, instant now, nanoseconds first_ttl) noexcept
    : ttl_(terms.ttl),
      stop_margin_(terms.stop_margin),
      drift_(terms.drift),
      confirmed_at_(sent),
      valid_until_(core::valid_until(sent, first_ttl, terms.drift)),
      hold_until_(saturating_add(now, terms.max_hold)),
      is_short_(first_ttl < terms.ttl),
      renew_(terms.renew) {
    assert(first_ttl <= terms.ttl);
    if (!is_short_) return;
    const nanoseconds due = std::min(saturating_add(now, soon) - sent, first_ttl / 3);
    first_renewal_ = std::chrono::duration_cast<brief>(std::clamp<nanoseconds>(due, brief(0), brief::max()));
}

lease_state lease_state::handed_to(const lease_terms& terms, instant now) const noexcept {
    lease_state other(terms, confirmed_at_, now);
    other.valid_until_ = std::min(other.valid_until_, valid_until_);
    other.failed_at_ = failed_at_;
    other.first_renewal_ = first_renewal_;
    other.is_short_ = is_short_;
    return other;
}

instant lease_state::next_renewal(random& r, nanoseconds phase) noexcept {
    if (phase_ != lease_phase::held || !renew_) return instant::max();
    instant due;
    if (failed_at_ != instant::min()) {
        const nanoseconds life = is_short_ ? valid_until_ - confirmed_at_ : ttl_;
        due = saturating_add(failed_at_, pause_before_retry(life, retries_, r));
        retries_ += retries_ < std::numeric_limits<std::uint8_t>::max();
    } else if (is_short_) {
        due = confirmed_at_ + first_renewal_;
        // Whoever keeps it for a moment only asked for the whole ttl, too.
        if (due >= hold_until_) due = confirmed_at_;
    } else {
        const nanoseconds third = ttl_ / 3;
        const nanoseconds step = std::max(third / 64, nanoseconds(1));
        due = saturating_add(confirmed_at_, r.between(third - third / 10 + step, third + third / 10));
        due -= (due.time_since_epoch() - phase) % step;
    }
    return due < hold_until_ ? due : instant::max();
}

void lease_state::sending(instant now) noexcept {
    valid_until_ = std::min(valid_until_, core::valid_until(now, ttl_, drift_));
}

void lease_state::confirmed(instant sent) noexcept {
    if (phase_ != lease_phase::held) return;
    confirmed_at_ = std::max(confirmed_at_, sent);
    valid_until_ = std::max(valid_until_, core::valid_until(sent, ttl_, drift_));
    failed_at_ = instant::min();
    is_short_ = false;
    retries_ = 0;
}

void lease_state::inconclusive(instant now) noexcept { failed_at_ = now; }

void lease_state::change_ttl(nanoseconds ttl, nanoseconds stop_margin) noexcept {
    ttl_ = ttl;
    stop_margin_ = stop_margin;
}

void lease_state::lose() noexcept {
    if (phase_ == lease_phase::held) phase_ = lease_phase::lost;
}

} // namespace redlock::core
