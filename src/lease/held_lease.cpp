#include "lease/held_lease.hpp"

#include "turn/inbox.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/observer.hpp>

#include <boost/asio/error.hpp>

#include <charconv>
#include <utility>

namespace redlock::lock {

/// A lease that was let go of, on its way to the strand. It takes memory, as the post that wakes the strand
/// does; the process ends when there is none.
class held_lease::departure final : public turn::inbox_item, public detail::pooled {
public:
    explicit departure(detail::lease_pointer of) noexcept : of_(std::move(of)) {}

private:
    void arrive() noexcept override {
        of_->let_go_now();
        delete this;
    }
    void discard() noexcept override { delete this; }

    detail::lease_pointer of_;
};

held_lease::held_lease(std::shared_ptr<lessee> r, engine::claim_pointer c, const lock_terms& terms,
                       const core::lease_state& state, time::instant keys_end, std::stop_source stop,
                       local_turn turn, std::uint64_t fencing_token)
    : lessee_(std::move(r)),
      claim_(std::move(c)),
      fencing_token_(fencing_token),
      held_since_(lessee_->now()),
      keep_(terms.keep),
      valid_until_(state.valid_until().time_since_epoch().count()),
      given_stop_(std::move(stop)),
      upkeep_(new lease_upkeep(*this, terms, state, keys_end, std::move(turn))) {}

held_lease::held_lease(detail::lease_pointer grant, std::shared_ptr<owned_lock> lock, std::stop_source stop)
    : lessee_(grant->lessee_),
      claim_(grant->claim_),
      fencing_token_(grant->fencing_token_),
      held_since_(grant->held_since_),
      keep_(grant->keep_),
      valid_until_(0),
      given_stop_(std::move(stop)),
      grant_(std::move(grant)),
      reentry_(new reentry(*this, std::move(lock))) {}

void intrusive_ptr_add_ref(held_lease* held) noexcept { held->owners_.add(); }

void intrusive_ptr_release(held_lease* held) noexcept {
    if (held->owners_.remove()) delete held;
}

core::nanoseconds held_lease::remaining() const noexcept {
    if (disowned_.load(std::memory_order_acquire) || lessee_->is_of_parent())
        return core::nanoseconds::zero();
    const std::atomic<core::nanoseconds::rep>& until = grant_ ? grant_->valid_until_ : valid_until_;
    const core::instant end{core::nanoseconds(until.load(std::memory_order_acquire))};
    const core::instant now = lessee_->clock().now();
    return now < end ? end - now : core::nanoseconds::zero();
}

// Whoever publishes the source looks afterwards whether stop is wanted, and whoever wants stop looks
// afterwards whether there is a source: one of them sees the other.
std::stop_token held_lease::stop_token() const {
    if (given_stop_.stop_possible() || given_stop_.stop_requested()) return given_stop_.get_token();
    std::stop_source* known = own_stop_.load();
    if (!known) {
        auto made = std::make_unique<std::stop_source>();
        if (own_stop_.compare_exchange_strong(known, made.get())) known = made.release();
        if (stop_wanted_) known->request_stop();
    }
    return known->get_token();
}

void held_lease::request_stop() noexcept {
    stop_wanted_ = true;
    const std::stop_source* own = own_stop_.load();
    std::stop_source told = own ? *own : given_stop_;
    told.request_stop();
    lessee_->turns().time_passed();
}

void held_lease::publish(core::instant valid_until) noexcept {
    valid_until_.store(valid_until.time_since_epoch().count(), std::memory_order_release);
}

void held_lease::let_go() noexcept {
    if (disowned_.load(std::memory_order_relaxed)) return; // by an unlock
    disown();
    if (lessee_->is_of_parent()) return; // which still has it
    lessee_->turns().calls().push(*new departure(this));
}

void held_lease::drop() noexcept {
    disown();
    let_go_now();
}

void held_lease::let_go_now() noexcept {
    if (upkeep_) return upkeep_->let_go();
    if (reentry_) reentry_->let_go();
}

std::chrono::milliseconds held_lease::ttl() const noexcept {
    return upkeep_ ? upkeep_->ttl() : std::chrono::milliseconds::max();
}

void held_lease::tell_granted(observer& o, core::nanoseconds waited) const noexcept {
    o.granted(key(), waited);
    granted_lease what{.kind = kind_of(*claim())};
    if (what.kind == lease_kind::permit) what.slot = slot();
    if (fencing_token_ != 0) what.fencing_token = fencing_token_;
    o.granted_as(key(), what);
}

unsigned held_lease::slot() const noexcept {
    const std::string_view permit = claim_->permit();
    unsigned number = 0;
    if (!permit.empty()) std::from_chars(permit.data() + 1, permit.data() + permit.size(), number);
    return number;
}

void held_lease::unlock(lease_waiter& w) {
    if (upkeep_) return upkeep_->unlock(w);
    if (reentry_) return reentry_->unlock(w);
    w.answered(turn::code_of(why_over()));
}

void held_lease::extend(lease_waiter& w) {
    if (upkeep_) return upkeep_->extend(w);
    if (reentry_) return reentry_->extend(w);
    w.answered(turn::code_of(why_over()));
}

void held_lease::downgrade(lease_waiter& w) {
    if (upkeep_) return upkeep_->downgrade(w);
    const bool is_over = !reentry_ || is_disowned() || lost_ || lessee_->closing();
    w.answered(turn::code_of(is_over ? why_over() : errc::invalid_option));
}

void held_lease::wait_lost(lease_waiter& w) {
    if (lost_) return w.answered({});
    if (lessee_->closing()) return w.answered(make_error_code(errc::closed));
    if (upkeep_) return upkeep_->wait_lost(w);
    if (reentry_) return reentry_->wait_lost(w);
    w.answered(boost::asio::error::operation_aborted);
}

} // namespace redlock::lock
