#include "primitive/election/campaign_call.hpp"

#include "core/validity.hpp"
#include "lease/held_lease.hpp"
#include "lease/lessee.hpp"
#include "lease/lock_request.hpp"
#include "lease/refusal_text.hpp"
#include "lease/request_text.hpp"
#include "primitive/election/proclaimed_value.hpp"

#include <redlock/detail/pool.hpp>
#include <redlock/observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::primitive {

using std::chrono::milliseconds;

campaign_call::campaign_call(std::shared_ptr<lock::lessee> l, handler&& h, request&& asked)
    : completing_call(std::move(l), std::move(h)),
      operation(lessee().turns().ready()),
      asked_(std::move(asked)) {
    asked_.options.fencing = true;
}

errc campaign_call::fault() noexcept {
    const lock::settings& settings = lessee().settings();
    const lock_options& options = asked_.options;
    if (const errc e = lock::check_key(asked_.name, settings.key_prefix.size()); e != errc{}) return e;
    if (options.permits != 1 || asked_.has_owner || options.mode != mode::exclusive ||
        options.keep > milliseconds::zero() || asked_.value.size() > max_leader_value_size)
        return errc::invalid_option;
    if (const errc e = lock::check_options(options, settings.drift); e != errc{}) return e;
    if (!lessee().engine().has_leaders()) return errc::unsupported;
    return lessee().closing() ? errc::closed : errc{};
}

std::string campaign_call::text_of(errc fault) {
    const lock::settings& settings = lessee().settings();
    const lock_options& options = asked_.options;
    if (fault == errc::unsupported) return std::string(no_leaders);
    if (fault == errc::invalid_option && options.permits != 1)
        return fmt::format("lock_options::permits must be 1 to lead, not {}", options.permits);
    if (fault == errc::invalid_option && asked_.has_owner)
        return "lock_options::owner cannot be given to lead";
    if (fault == errc::invalid_option && options.mode != mode::exclusive)
        return "lock_options::mode must be exclusive to lead";
    if (fault == errc::invalid_option && options.keep > milliseconds::zero())
        return fmt::format("lock_options::keep must be 0 ms to lead, not {}: who resigns leaves",
                           lock::text_of(options.keep));
    if (fault == errc::invalid_option && asked_.value.size() > max_leader_value_size)
        return text_of_long_value(asked_.value.size());
    return lock::fault_text(fault, asked_.name, options, settings.key_prefix.size(), settings.drift);
}

void campaign_call::begin() {
    if (const errc why = fault(); why != errc{}) return refuse(why);
    wait_until_ = core::saturating_add(lessee().now(), core::saturating_nanoseconds(asked_.options.wait));
    contend();
}

void campaign_call::refuse(errc why) {
    lessee().counts().call_refused(why);
    explain(why, [&] { return text_of(why); });
    complete(make_error_code(why), leadership());
    end();
}

void campaign_call::contend() {
    lock_options options = asked_.options;
    if (options.wait != forever)
        options.wait = std::chrono::ceil<milliseconds>(
            std::max(wait_until_ - lessee().now(), core::nanoseconds::zero()));
    auto wanted = lessee().engine().claim_key(lessee().settings().key_prefix,
                                              engine::key_name::of_leader(asked_.name), true);
    lock::acquire_listener& listener = *this;
    acquire_.emplace(shared_lessee(), std::move(wanted), options, std::stop_source(std::nostopstate),
                     listener);
    acquire_->start();
}

void campaign_call::granted(detail::lease_pointer held) noexcept {
    held_ = std::move(held);
    forget(lease_is_over);
    held_->wait_lost(*this);
}

void campaign_call::not_granted(errc why, const engine::failure* more) noexcept {
    why_failed_ = why;
    if (why != errc{}) explain(why, [&] { return lock::refusal_text(acquire_->told(), why, more); });
}

void campaign_call::acquire_over() noexcept {
    acquire_.reset();
    if (!held_) {
        // Counted by the acquire.
        if (why_failed_ == errc{})
            complete(boost::asio::error::operation_aborted, leadership());
        else
            complete(make_error_code(why_failed_), leadership());
        return end();
    }
    if (cancelled_) return fail(errc{});
    await(lease_is_over);
    proclaim();
}

void campaign_call::proclaim() {
    proclamation_ = lessee().engine().proclaim(held_->claim(), held_->fencing_token(), asked_.value, *this);
}

void campaign_call::proclaimed(engine::outcome decided, errc why, const engine::failure* more) noexcept {
    const auto until_told = std::move(proclamation_);
    if (held_->is_over() || decided == engine::outcome::gone) return begin_anew();
    if (decided == engine::outcome::confirmed) {
        if (observer* o = lessee().observer()) o->proclaimed(held_->key(), asked_.value);
        return grant();
    }
    // Renewals go on with it, too.
    const core::nanoseconds pause =
        core::nanoseconds(std::clamp(asked_.options.ttl / 10, milliseconds(10), milliseconds(250)));
    if (why == errc::no_quorum && has_time_left(pause))
        return lessee().turns().timers().arm(*this, lessee().now() + pause);
    explain(why, [&] {
        const std::string deed = "taken what the leader of " + lock::quoted_key(asked_.name) + " proclaims";
        return more ? more->describe(deed) : make_error_code(why).message();
    });
    fail(why);
}

bool campaign_call::has_time_left(core::nanoseconds pause) noexcept {
    return core::saturating_add(lessee().now(), pause) < wait_until_;
}

// Inside of what the lease does: nothing is to happen to it here.
void campaign_call::answered(const boost::system::error_code&) noexcept { raise(lease_is_over); }

void campaign_call::events_came() noexcept {
    timer::disarm();
    proclamation_.reset();
    begin_anew();
}

void campaign_call::begin_anew() {
    if (lessee().closing()) {
        explain(errc::closed, [&] {
            return fmt::format("the client was closed before {} could lead", lock::quoted_key(asked_.name));
        });
        return fail(errc::closed);
    }
    if (has_time_left(core::nanoseconds::zero())) {
        drop_lease();
        return contend();
    }
    explain(errc::no_quorum, [&] {
        return fmt::format("the lock {} was lost before what its holder proclaims stood on a majority",
                           lock::quoted_key(asked_.name));
    });
    fail(errc::no_quorum);
}

void campaign_call::drop_lease() noexcept {
    stop_waiting();
    lease_waiter::unlink();
    timer::disarm();
    proclamation_.reset();
    std::exchange(held_, nullptr)->give_up();
}

void campaign_call::grant() {
    stop_waiting();
    lease_waiter::unlink();
    held_->stops(std::move(asked_.stop));
    complete(turn::success, leadership(std::move(held_)));
    end();
}

void campaign_call::fail(errc why) {
    drop_lease();
    if (why == errc{}) {
        ++lessee().counts().cancelled;
        complete(boost::asio::error::operation_aborted, leadership());
    } else {
        lessee().counts().call_refused(why);
        complete(make_error_code(why), leadership());
    }
    end();
}

void campaign_call::cancel() noexcept {
    if (completed()) return;
    cancelled_ = true;
    if (acquire_ && !held_) return acquire_->cancel();
    if (!acquire_) fail(errc{});
}

} // namespace redlock::primitive

namespace redlock::detail {

prepared_campaign::prepared_campaign(const core_pointer& core, std::string_view name, std::string_view value,
                                     const lock_options& options)
    : core_(core),
      name_(name),
      value_(value),
      options_(options),
      stop_(options.stop ? *options.stop : std::stop_source(std::nostopstate)),
      has_owner_(options.owner != nullptr) {
    options_.stop = nullptr;
    options_.owner = nullptr;
}

const asio::any_io_executor& prepared_campaign::clients_executor() const noexcept {
    return executor_of(core_);
}

void prepared_campaign::start(leadership_handler&& handler, asio::cancellation_slot slot) {
    if (!core_)
        return lock::complete_for_nobody<leadership>(std::move(handler), make_error_code(errc::closed));
    using primitive::campaign_call;
    lock::call::send(std::allocate_shared<campaign_call>(pool_allocator<campaign_call>(),
                                                         lock::lessee_of(core_), std::move(handler),
                                                         campaign_call::request{.name = std::move(name_),
                                                                                .value = std::move(value_),
                                                                                .options = options_,
                                                                                .stop = std::move(stop_),
                                                                                .has_owner = has_owner_}),
                     slot);
}

} // namespace redlock::detail
