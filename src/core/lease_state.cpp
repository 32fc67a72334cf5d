#include "core/lease_state.hpp"

#include <algorithm>

namespace redlock::core {

namespace {

// Quick enough for several tries within the two thirds of a ttl that are left, slow enough to be no flood.
backoff retries_within(nanoseconds ttl) noexcept {
    using std::chrono::milliseconds;
    const nanoseconds first =
        std::clamp<nanoseconds>(ttl / 100, std::chrono::microseconds(500), milliseconds(10));
    return {first, std::clamp<nanoseconds>(ttl / 20, first, milliseconds(250))};
}

} // namespace

lease_state::lease_state(const lease_terms& terms, instant sent, instant now) noexcept
    : terms_(terms),
      confirmed_at_(sent),
      valid_until_(core::valid_until(sent, terms.ttl, terms.drift)),
      hold_until_(saturating_add(now, terms.max_hold)),
      retry_(retries_within(terms.ttl)) {}

lease_state lease_state::handed_to(const lease_terms& terms, instant now) const noexcept {
    lease_state other(terms, confirmed_at_, now);
    other.valid_until_ = std::min(other.valid_until_, valid_until_);
    other.failed_at_ = failed_at_;
    return other;
}

instant lease_state::next_renewal(random& r) noexcept {
    if (phase_ != lease_phase::held || !terms_.renew) return instant::max();
    const nanoseconds third = terms_.ttl / 3;
    const instant due = failed_at_ == instant::min()
                            ? saturating_add(confirmed_at_, r.between(third - third / 10, third + third / 10))
                            : saturating_add(failed_at_, retry_.next(r));
    return due < hold_until_ ? due : instant::max();
}

void lease_state::sending(instant now) noexcept {
    valid_until_ = std::min(valid_until_, core::valid_until(now, terms_.ttl, terms_.drift));
}

void lease_state::confirmed(instant sent) noexcept {
    if (phase_ != lease_phase::held) return;
    confirmed_at_ = std::max(confirmed_at_, sent);
    valid_until_ = std::max(valid_until_, core::valid_until(sent, terms_.ttl, terms_.drift));
    failed_at_ = instant::min();
    retry_.reset();
}

void lease_state::inconclusive(instant now) noexcept { failed_at_ = now; }

void lease_state::change_ttl(nanoseconds ttl, nanoseconds stop_margin) noexcept {
    terms_.ttl = ttl;
    terms_.stop_margin = stop_margin;
}

void lease_state::lose() noexcept {
    if (phase_ == lease_phase::held) phase_ = lease_phase::lost;
}

} // namespace redlock::core
