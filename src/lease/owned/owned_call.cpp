// client::async_lock for an owner, who may have the key already.

#include "core/mistake.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"
#include "lease/lock_call.hpp"
#include "lease/owned/owned_lock.hpp"
#include "lease/refusal_text.hpp"
#include "lease/request_text.hpp"
#include "time/timer_queue.hpp"

#include <redlock/observer.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace redlock::lock {

namespace {

class owned_call final : public lock_call,
                         private acquire_listener,
                         private owned_waiter,
                         private time::timer {
public:
    owned_call(std::shared_ptr<lock::lessee> l, std::string_view key, const lock_options& options)
        : lock_call(std::move(l)), asked_(key, options) {}
    owned_call(const owned_call& other) : lock_call(other.shared_lessee()), asked_(other.asked_) {}

    lock_call* another() const override { return make<owned_call>(*this); }

private:
    void begin() override {
        if (const errc refusal = fault_of_request(asked_); refusal != errc{}) return refuse(refusal, asked_);
        const detail::key_text full_key(lessee().settings().key_prefix, asked_.key);
        lock_ = lessee().owned().at(asked_.owner, full_key).shared_from_this();
        began_at_ = lessee().now();
        ++lessee().counts().waiting;
        is_counted_ = true;
        if (lock_->is_held()) return owner_has_it();
        if (!lock_->is_asked_for()) return ask();
        if (asked_.options.wait == std::chrono::milliseconds::zero()) return fail(errc::held);
        lock_->wait(*this);
        if (observer* o = lessee().observer()) o->waiting(asked_.key);
        has_waited_ = true;
        const auto limit = core::saturating_nanoseconds(asked_.options.wait);
        lessee().turns().timers().arm(*this, core::saturating_add(began_at_, limit));
    }

    void ask() {
        timer::disarm();
        lock_->begin_asking();
        --lessee().counts().waiting; // the acquire counts itself
        is_counted_ = false;
        auto wanted = lessee().engine().claim_key(
            lessee().settings().key_prefix,
            engine::key_name(detail::key_text(asked_.key), asked_.options.mode), asked_.options.fencing);
        lock_options options = asked_.options;
        if (options.wait != forever && options.wait > std::chrono::milliseconds::zero())
            options.wait = std::max(std::chrono::milliseconds(1), options.wait - waited());
        acquire_listener& listener = *this;
        // The grant stops nobody: each lease of the owner has its own to stop.
        acquire_.emplace(shared_lessee(), std::move(wanted), options, std::stop_source(std::nostopstate),
                         listener);
        if (has_waited_) acquire_->has_waited();
        acquire_->start();
    }
    std::chrono::milliseconds waited() noexcept {
        return std::chrono::floor<std::chrono::milliseconds>(lessee().now() - began_at_);
    }

    void granted(detail::lease_pointer held) noexcept override {
        was_granted_ = true;
        lock_->granted(std::move(held));
        enter();
        lock_->let_in();
    }
    void not_granted(errc why, const engine::failure* more) noexcept override {
        if (why != errc{}) explain(why, [&] { return refusal_text(acquire_->told(), why, more); });
        finish(why);
    }
    void acquire_over() noexcept override {
        const bool was_granted = was_granted_;
        const auto lock = std::move(lock_);
        end();
        if (!was_granted) lock->not_granted();
    }

    void owner_has_it() noexcept override {
        timer::disarm();
        if (planted(core::mistake::entered_anew) && lock_->is_lost()) return ask();
        if (lock_->is_over()) return fail(errc::lease_lost);
        if (lacks_what_is_asked() != lack::nothing) return fail(errc::invalid_option);
        enter();
        end();
    }
    /// What the owner's grant does not have, and cannot get any more.
    enum class lack { nothing, a_token, writing };
    lack lacks_what_is_asked() const noexcept {
        if (asked_.options.fencing && !lock_->is_fenced()) return lack::a_token;
        return asked_.options.mode == mode::write && !lock_->writes() ? lack::writing : lack::nothing;
    }
    void asks_now() override { ask(); }
    void expired(time::instant) noexcept override {
        owned_waiter::unlink();
        fail(errc::wait_timeout);
    }

    /// Before the one that asks ends, and would have this one ask.
    void client_closes() noexcept override {
        if (acquire_ || completed()) return;
        owned_waiter::unlink();
        timer::disarm();
        fail(errc::closed);
    }
    void cancel() noexcept override {
        if (completed()) return;
        if (acquire_) return acquire_->cancel();
        owned_waiter::unlink();
        timer::disarm();
        fail(errc{});
    }

    void enter() {
        if (is_counted_) {
            --lessee().counts().waiting;
            lessee().counts().time_to_acquire.record(lessee().now() - began_at_);
            ++lessee().counts().reentries;
            if (observer* o = lessee().observer()) o->entered_again(asked_.key);
        }
        complete_with(lock_->enter(asked_.options.ttl, std::move(asked_.stop)));
    }
    /// Without having asked.
    void fail(errc why) {
        if (why != errc{}) explain(why, [&] { return text_of(why); });
        finish(why);
        end();
    }
    void finish(errc why) {
        if (is_counted_) lessee().counts().call_ended(why);
        if (why == errc{})
            complete(boost::asio::error::operation_aborted, lease());
        else
            complete(make_error_code(why), lease());
    }
    std::string text_of(errc why) {
        const std::string key = quoted_key(asked_.key);
        if (why == errc::lease_lost)
            return "the owner has lost the lock " + key + " and not unlocked it since";
        if (why == errc::invalid_option && lacks_what_is_asked() == lack::a_token)
            return "the owner holds the lock " + key +
                   " without a fencing token, which lock_options::fencing asks for";
        if (why == errc::invalid_option)
            return "the owner holds the lock " + key +
                   " beside those who read, and lock_options::mode asks for it to write";
        return refusal_text({.key = asked_.key,
                             .waited = lessee().now() - began_at_,
                             .wait = core::saturating_nanoseconds(asked_.options.wait),
                             .for_others = true},
                            why, nullptr);
    }

    lock_request asked_;
    std::shared_ptr<owned_lock> lock_;
    std::optional<acquire> acquire_; ///< of the one that asks
    time::instant began_at_{};
    bool is_counted_ = false; ///< as one that waits
    bool has_waited_ = false; ///< for another call of the owner
    bool was_granted_ = false;
};

} // namespace

lock_call* make_owned_call(const std::shared_ptr<lessee>& l, std::string_view key,
                           const lock_options& options) {
    return lock_call::make<owned_call>(l, key, options);
}

} // namespace redlock::lock
