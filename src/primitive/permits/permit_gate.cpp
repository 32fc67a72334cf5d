#include "primitive/permits/permit_gate.hpp"

#include "lease/held_lease.hpp"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace redlock::primitive {

namespace {

// One permit cannot be had, but others can: nodes may come back meanwhile.
constexpr std::chrono::milliseconds pause_after_failure{500};

} // namespace

/// Waits for one of the permits, again and again while somebody wants one.
class permit_gate::contender final : private lock::acquire_listener {
public:
    contender(permit_gate& of, unsigned slot) noexcept : gate_(of), slot_(slot) {}

    bool contends() const noexcept { return acquire_.has_value(); }
    void begin() {
        lock::lessee& l = *gate_.lessee_;
        lock::acquire_listener& listener = *this;
        failed_ = false;
        settled_ = false;
        auto claim =
            l.engine().claim_key(l.settings().key_prefix, gate_.key_.name_of(slot_), gate_.options_.fencing);
        acquire_.emplace(gate_.lessee_, std::move(claim), gate_.options_, std::stop_source(std::nostopstate),
                         listener, lock::counted::part);
        acquire_->start();
    }
    void cancel() noexcept {
        if (acquire_ && !settled_) acquire_->cancel();
    }

private:
    void granted(detail::lease_pointer held) noexcept override {
        settled_ = true;
        gate_.permit_came(std::move(held));
    }
    void not_granted(errc why, const engine::failure* more) noexcept override {
        settled_ = true;
        if (why == errc{}) return; // nobody waited any more
        failed_ = true;
        gate_.contender_failed(why, more);
    }
    void acquire_over() noexcept override {
        acquire_.reset();
        if (!failed_ && gate_.has_waiters()) return begin();
        gate_.end_if_idle();
    }

    friend class permit_gate;
    permit_gate& gate_;
    const unsigned slot_;
    bool failed_ = false;  ///< the last time
    bool settled_ = false; ///< though the acquire may still be there
    std::optional<lock::acquire> acquire_;
};

permit_gate::permit_gate(keeper& of, std::shared_ptr<lock::lessee> l, const permit_key& key,
                         const lock_options& options)
    : keeper_(of), lessee_(std::move(l)), key_(key), options_(options) {
    options_.wait = forever; // each of those who wait has a limit of its own
    for (unsigned slot = 0; slot < options_.permits; ++slot)
        contenders_.emplace_back(*this, slot);
}

permit_gate::~permit_gate() = default;

void permit_gate::enter(gate_waiter& w) {
    waiting_.push_back(w);
    contend();
}

// What comes to its end at once calls back from in here.
void permit_gate::contend() {
    ++busy_;
    for (contender& each : contenders_)
        if (!each.contends() && has_waiters()) each.begin();
    --busy_;
    end_if_idle();
}

void permit_gate::leave(gate_waiter& w) noexcept {
    w.unlink();
    if (has_waiters()) return;
    ++busy_;
    for (contender& each : contenders_)
        each.cancel();
    --busy_;
    end_if_idle();
}

void permit_gate::permit_came(detail::lease_pointer held) noexcept {
    if (!has_waiters()) return held->give_up();
    gate_waiter& first = waiting_.front();
    ++busy_;
    leave(first);
    first.permit_came(std::move(held));
    turn::live_list<gate_waiter> others;
    if (key_.reads()) others.swap(waiting_);
    while (!others.empty()) {
        gate_waiter& next = others.front();
        next.unlink();
        next.try_again();
    }
    --busy_;
}

// While another permit is still waited for, that may come.
void permit_gate::contender_failed(errc why, const engine::failure* more) noexcept {
    const bool is_last = std::all_of(contenders_.begin(), contenders_.end(),
                                     [](const contender& each) { return !each.contends() || each.failed_; });
    if (!is_last) {
        lessee_->turns().timers().arm(*this, lessee_->now() + pause_after_failure);
        return;
    }
    ++busy_;
    while (has_waiters()) {
        gate_waiter& first = waiting_.front();
        first.unlink();
        first.no_permit(why, more);
    }
    --busy_;
}

void permit_gate::end_if_idle() noexcept {
    const bool is_idle = std::none_of(contenders_.begin(), contenders_.end(),
                                      [](const contender& each) { return each.contends(); });
    if (busy_ == 0 && is_idle && !has_waiters()) keeper_.gate_is_idle(*this);
}

} // namespace redlock::primitive
