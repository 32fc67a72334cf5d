#include "primitive/permits/permit_call.hpp"

#include "core/mistake.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"
#include "lease/refusal_text.hpp"
#include "memory/fixed_array.hpp"
#include "primitive/permits/permit_gates.hpp"
#include "primitive/permits/slot_search.hpp"
#include "time/timer_queue.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <optional>
#include <utility>

namespace redlock::primitive {

namespace {

/// Tries permits one after the other, and waits at the gate when none of them is free.
class permit_call final : public lock::lock_call, private gate_waiter, private time::timer {
public:
    permit_call(std::shared_ptr<lock::lessee> l, std::string_view key, const lock_options& options)
        : lock_call(std::move(l)), asked_(key, options) {}
    permit_call(const permit_call& other) : lock_call(other.shared_lessee()), asked_(other.asked_) {}

    lock_call* another() const override { return make<permit_call>(*this); }

private:
    /// One permit that is asked for without waiting.
    class attempt final : private lock::acquire_listener {
    public:
        attempt(permit_call& by, unsigned slot) : by_(by) {
            lock::lessee& l = by.lessee();
            lock_options options = by.asked_.options;
            options.wait = std::chrono::milliseconds(0);
            auto claim =
                l.engine().claim_key(l.settings().key_prefix, by.key_->name_of(slot), options.fencing);
            lock::acquire_listener& listener = *this;
            acquire_.emplace(by.shared_lessee(), std::move(claim), options,
                             std::stop_source(std::nostopstate), listener, lock::counted::part);
        }
        void start() { acquire_->start(); }
        void cancel() noexcept {
            if (acquire_ && !settled_) acquire_->cancel();
        }

    private:
        void granted(detail::lease_pointer held) noexcept override {
            settled_ = true;
            by_.attempt_granted(std::move(held));
        }
        void not_granted(errc why, const engine::failure* more) noexcept override {
            settled_ = true;
            if (why != errc{} && why != errc::held) by_.note_failure(acquire_->told(), why, more);
        }
        void acquire_over() noexcept override {
            acquire_.reset();
            by_.attempt_over();
        }

        permit_call& by_;
        std::optional<lock::acquire> acquire_;
        bool settled_ = false;
    };

    void begin() override {
        if (const errc refusal = fault_of_request(asked_); refusal != errc{}) return refuse(refusal, asked_);
        ++lessee().counts().waiting;
        began_at_ = lessee().now();
        // Those who read have entries in a set of each node, and a node that is asked wrongly limits their
        // number.
        key_.emplace(asked_.key,
                     planted(core::mistake::permits_by_majority) ? mode::read : asked_.options.mode);
        const permit_gate* const gate = desk().permit_gates().find(*key_, asked_.options);
        if (waits() && gate && gate->has_waiters()) return wait();
        search();
    }

    void search() {
        search_.emplace(asked_.options.permits);
        try_next();
    }

    bool waits() const noexcept { return asked_.options.wait > std::chrono::milliseconds::zero(); }

    void try_next() {
        const auto slots = search_->next(lessee().turns().random(),
                                         [&](unsigned slot) { return !key_->is_taken_here(lessee(), slot); });
        if (slots.empty()) return waits() ? wait() : fail(errc::held);
        attempts_.clear();
        attempts_.reserve(slots.size());
        for (const unsigned slot : slots)
            attempts_.emplace_back(*this, slot);
        under_way_ = slots.size() + 1;
        for (attempt& each : attempts_)
            each.start();
        attempt_over();
    }

    /// Of several that were granted together one is enough.
    void attempt_granted(detail::lease_pointer held) noexcept {
        if (held_ || cancelled_)
            held->give_up();
        else
            held_ = std::move(held);
    }
    void note_failure(const lock::acquire::account& told, errc why, const engine::failure* more) noexcept {
        failed_ = why;
        explain(why, [&] { return lock::refusal_text(told, why, more); });
    }
    void attempt_over() noexcept {
        if (--under_way_ != 0) return;
        // Others of the batch may have taken so long that this one is over.
        if (held_ && (cancelled_ || held_->is_over())) {
            std::exchange(held_, nullptr)->give_up();
            if (failed_ == errc{}) failed_ = errc::no_quorum;
        }
        if (held_) return grant(std::move(held_));
        if (cancelled_) return fail(errc{});
        if (lessee().closing()) return fail(errc::closed);
        // Whoever waits for others waits on while nodes are away.
        if (failed_ != errc{} && waits_since_ == time::instant::max()) return fail(failed_);
        std::exchange(failed_, errc{}) == errc{} ? try_next() : wait();
    }

    /// Perhaps not for long: a permit may be free already.
    void wait() {
        if (waits_since_ == time::instant::max()) {
            waits_since_ = lessee().now();
            if (observer* o = lessee().observer()) o->waiting(asked_.key);
        }
        const auto limit = core::saturating_nanoseconds(asked_.options.wait);
        lessee().turns().timers().arm(*this, core::saturating_add(began_at_, limit));
        gate_ = &desk().permit_gates().open(shared_lessee(), *key_, asked_.options);
        gate_->enter(*this);
    }
    void leave_gate() noexcept {
        if (gate_) std::exchange(gate_, nullptr)->leave(*this);
    }
    void permit_came(detail::lease_pointer held) noexcept override {
        gate_ = nullptr;
        grant(std::move(held));
    }
    void try_again() override {
        gate_ = nullptr;
        timer::disarm(); // until it waits again, by the same limit
        search();
    }
    void no_permit(errc why, const engine::failure* more) noexcept override {
        gate_ = nullptr;
        explain(why, [&] { return lock::refusal_text(account(), why, more); });
        fail(why);
    }
    void expired(time::instant) noexcept override {
        leave_gate();
        explain(errc::wait_timeout,
                [&] { return lock::refusal_text(account(), errc::wait_timeout, nullptr); });
        fail(errc::wait_timeout);
    }
    lock::acquire::account account() noexcept {
        return {.key = asked_.key,
                .waited = lessee().now() - began_at_,
                .wait = core::saturating_nanoseconds(asked_.options.wait),
                .for_others = true,
                .was_granted = false};
    }

    void cancel() noexcept override {
        if (completed()) return;
        if (gate_) {
            leave_gate();
            return fail(errc{});
        }
        cancelled_ = true;
        for (attempt& each : attempts_)
            each.cancel();
    }

    void grant(detail::lease_pointer held) {
        timer::disarm();
        count_end_of_wait();
        lock::counters& counts = lessee().counts();
        --counts.waiting;
        ++counts.of(*held->claim()).grants;
        counts.time_to_acquire.record(lessee().now() - began_at_);
        if (observer* o = lessee().observer()) held->tell_granted(*o, lessee().now() - began_at_);
        held->stops(std::move(asked_.stop));
        complete_with(std::move(held));
        end();
    }
    void fail(errc why) {
        timer::disarm();
        count_end_of_wait();
        lessee().counts().call_ended(why);
        if (why == errc::held) explain(why, [&] { return lock::refusal_text(account(), why, nullptr); });
        if (why == errc{})
            complete(boost::asio::error::operation_aborted, lease());
        else
            complete(make_error_code(why), lease());
        end();
    }
    void count_end_of_wait() noexcept {
        if (waits_since_ != time::instant::max())
            lessee().counts().wait_time.record(lessee().now() - waits_since_);
    }

    lock::lock_request asked_;
    std::optional<permit_key> key_;
    std::optional<slot_search> search_;
    memory::fixed_array<attempt> attempts_; ///< the last that were made together
    std::size_t under_way_ = 0;
    detail::lease_pointer held_;
    errc failed_{};
    bool cancelled_ = false;
    permit_gate* gate_ = nullptr; ///< while it waits there
    time::instant began_at_{};
    time::instant waits_since_ = time::instant::max();
};

} // namespace

lock::lock_call* make_permit_call(const std::shared_ptr<lock::lessee>& l, std::string_view key,
                                  const lock_options& options) {
    return lock::lock_call::make<permit_call>(l, key, options);
}

} // namespace redlock::primitive
