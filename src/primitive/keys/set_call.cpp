#include "primitive/keys/set_call.hpp"

#include "core/mistake.hpp"
#include "core/validity.hpp"
#include "lease/held_lease.hpp"
#include "lease/lessee.hpp"
#include "lease/lock_request.hpp"
#include "lease/refusal_text.hpp"
#include "lease/request_text.hpp"

#include <redlock/client.hpp>
#include <redlock/observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace redlock::primitive {

using std::chrono::milliseconds;

set_call::set_call(std::shared_ptr<lock::lessee> l, handler&& h, std::vector<std::string> keys,
                   const lock_options& options, std::stop_source stop)
    : completing_call(std::move(l), std::move(h)),
      keys_(std::move(keys)),
      options_(options),
      stop_(std::move(stop)) {}

errc set_call::fault() noexcept {
    const lock::settings& settings = lessee().settings();
    if (keys_.empty() || keys_.size() > max_set_size) return errc::invalid_key;
    for (const std::string& key : keys_)
        if (const errc e = lock::check_key(key, settings.key_prefix.size()); e != errc{}) return e;
    if (options_.permits != 1 || options_.owner || options_.mode == mode::read) return errc::invalid_option;
    if (!lessee().engine().supports(options_.mode) || !lock::keeps_as_asked(lessee().engine(), options_))
        return errc::unsupported;
    if (const errc e = lock::check_options(options_, settings.drift); e != errc{}) return e;
    return lessee().closing() ? errc::closed : errc{};
}

std::string set_call::text_of(errc fault) {
    const lock::settings& settings = lessee().settings();
    const std::size_t prefix = settings.key_prefix.size();
    if (keys_.empty() || keys_.size() > max_set_size)
        return fmt::format("a set must have 1 to {} keys, not {}", max_set_size, keys_.size());
    if (fault == errc::invalid_option && options_.permits != 1)
        return fmt::format("lock_options::permits must be 1 for a set of keys, not {}", options_.permits);
    if (fault == errc::invalid_option && options_.owner)
        return "lock_options::owner cannot be given for a set of keys";
    if (fault == errc::invalid_option && options_.mode == mode::read)
        return "lock_options::mode cannot be read for a set of keys";
    if (fault == errc::unsupported)
        return lock::fault_text_of_engine(lessee().engine().supports(options_.mode));
    const auto wrong = std::find_if(keys_.begin(), keys_.end(), [&](const std::string& key) {
        return lock::check_key(key, prefix) != errc{};
    });
    return lock::fault_text(fault, wrong == keys_.end() ? keys_.front() : *wrong, options_, prefix,
                            settings.drift);
}

void set_call::begin() {
    if (const errc why = fault(); why != errc{}) return refuse(why);
    put_in_order();
    began_at_ = lessee().now();
    ++lessee().counts().waiting;
    rule_.emplace(members_.size(), options_.wait > milliseconds::zero());
    carry_out(rule_->begin());
}

void set_call::refuse(errc why) {
    lessee().counts().call_refused(why);
    explain(why, [&] { return text_of(why); });
    complete(make_error_code(why), lease_set());
    end();
}

void set_call::put_in_order() {
    set_listener& here = *this;
    members_.reserve(keys_.size());
    if (keys_.size() == 1) {
        members_.emplace_back(here, keys_.front(), std::size_t(0));
        return;
    }
    std::vector<std::size_t> by_name(keys_.size());
    std::iota(by_name.begin(), by_name.end(), std::size_t(0));
    // Of those with the same name the one that was given first comes first.
    if (!planted(core::mistake::unordered_keys))
        std::ranges::sort(by_name, [&](std::size_t a, std::size_t b) {
            return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
        });
    member_of_.assign(keys_.size(), none);
    for (const std::size_t given : by_name) {
        if (!members_.empty() && members_.back().key() == keys_[given]) continue;
        member_of_[given] = members_.size();
        members_.emplace_back(here, keys_[given], members_.size());
    }
    std::erase(member_of_, none);
}

void set_call::carry_out(ordered_taking::step next) {
    step_ = next;
    switch (next) {
    case ordered_taking::step::ask_for_rest:
        return ask(rule_->first(), members_.size(), core::nanoseconds::zero());
    case ordered_taking::step::wait_for_first: {
        const time::instant now = lessee().now();
        const set_member& first = members_[rule_->first()];
        if (waits_since_ == time::instant::max()) {
            waits_since_ = now;
            if (observer* o = lessee().observer()) o->waiting(first.key());
        }
        const time::instant until =
            core::saturating_add(began_at_, core::saturating_nanoseconds(options_.wait));
        if (until <= now) {
            failed_ = first.position;
            return fail(errc::wait_timeout);
        }
        const core::nanoseconds left = options_.wait == forever ? core::nanoseconds::max() : until - now;
        return ask(rule_->first(), rule_->first() + 1, left);
    }
    case ordered_taking::step::granted:
        return grant();
    case ordered_taking::step::refused:
        return fail(errc::held);
    }
}

// Some settle at once, and the last of them may end all of this.
void set_call::ask(std::size_t from, std::size_t to, core::nanoseconds wait) {
    lock_options options = options_;
    options.wait = wait == core::nanoseconds::max() ? forever : std::chrono::ceil<milliseconds>(wait);
    under_way_ = to - from + 1;
    for (std::size_t i = from; i < to; ++i)
        members_[i].ask(shared_lessee(), options);
    member_settled();
}

void set_call::member_settled() noexcept {
    if (--under_way_ == 0) settle();
}

void set_call::settle() {
    if (cancelled_) return fail(errc{});
    if (failed_ != none && why_failed_ != errc::held) return fail(why_failed_);
    if (lessee().closing()) return fail(errc::closed);
    if (lost_) {
        give_back_from(0);
        lost_ = false;
        const core::nanoseconds wait = core::saturating_nanoseconds(options_.wait);
        if (lessee().clock().now() >= core::saturating_add(began_at_, wait)) return fail(errc::no_quorum);
        return carry_out(rule_->lost());
    }
    if (step_ == ordered_taking::step::wait_for_first) return carry_out(rule_->waited());
    std::size_t first_refused = rule_->first();
    while (first_refused < members_.size() && members_[first_refused].is_held())
        ++first_refused;
    give_back_from(first_refused);
    carry_out(rule_->asked(first_refused));
}

void set_call::give_back_from(std::size_t first) noexcept {
    for (std::size_t i = first; i < members_.size(); ++i)
        members_[i].give_back();
}

void set_call::grant() {
    // Those that were waited with may be over by the clock, before anybody was told.
    const bool all_valid =
        std::all_of(members_.begin(), members_.end(), [](const set_member& m) { return m.is_valid(); });
    if (!all_valid && options_.wait > milliseconds::zero()) {
        lost_ = true;
        return settle();
    }
    if (!all_valid) return fail(errc::no_quorum);
    const time::instant now = lessee().now();
    lock::counters& counts = lessee().counts();
    --counts.waiting;
    counts.time_to_acquire.record(now - began_at_);
    if (waits_since_ != time::instant::max()) counts.wait_time.record(now - waits_since_);
    if (!stop_.stop_possible() && members_.size() > 1) stop_ = std::stop_source();
    std::vector<lease> leases;
    leases.reserve(members_.size());
    for (std::size_t given = 0; given < members_.size(); ++given) {
        detail::lease_pointer held = members_[member_of(given)].take();
        held->stops(stop_);
        ++counts.of(*held->claim()).grants;
        if (observer* o = lessee().observer()) held->tell_granted(*o, now - began_at_);
        leases.push_back(lease(std::move(held)));
    }
    complete(turn::success, lease_set(std::move(leases), stop_.get_token()));
    end();
}

void set_call::fail(errc why) {
    give_back_from(0);
    const time::instant now = lessee().now();
    if (waits_since_ != time::instant::max()) lessee().counts().wait_time.record(now - waits_since_);
    lessee().counts().call_ended(why);
    if (why == errc::wait_timeout)
        explain(why, [&] {
            return lock::refusal_text({.key = members_[failed_].key(),
                                       .waited = now - began_at_,
                                       .wait = core::saturating_nanoseconds(options_.wait),
                                       .for_others = true,
                                       .was_granted = false},
                                      why, nullptr);
        });
    if (why == errc{})
        complete(boost::asio::error::operation_aborted, lease_set());
    else
        complete(make_error_code(why), lease_set());
    end();
}

void set_call::member_refused(const set_member& m, errc why, const engine::failure* more) noexcept {
    if (why == errc{}) return; // cancelled, by the caller or for a loss
    if (why == errc::held && options_.wait > milliseconds::zero()) return; // it is waited for
    if (m.position >= failed_) return;
    failed_ = m.position;
    why_failed_ = why;
    explain(why, [&] { return lock::refusal_text(m.account(), why, more); });
}

void set_call::member_lost() noexcept {
    lost_ = true;
    // What is asked for without waiting comes out by itself.
    if (step_ == ordered_taking::step::wait_for_first) members_[rule_->first()].cancel();
}

void set_call::cancel() noexcept {
    if (completed() || members_.empty()) return;
    cancelled_ = true;
    for (set_member& m : members_)
        m.cancel();
}

} // namespace redlock::primitive

namespace redlock::detail {

prepared_set::prepared_set(const core_pointer& core, std::vector<std::string> keys,
                           const lock_options& options)
    : core_(core),
      keys_(std::move(keys)),
      options_(options),
      stop_(options.stop ? *options.stop : std::stop_source(std::nostopstate)) {
    options_.stop = nullptr;
}

const asio::any_io_executor& prepared_set::clients_executor() const noexcept { return executor_of(core_); }

void prepared_set::start(lease_set_handler&& handler, asio::cancellation_slot slot) {
    if (!core_)
        return lock::complete_for_nobody<lease_set>(std::move(handler), make_error_code(errc::closed));
    using primitive::set_call;
    lock::call::send(std::allocate_shared<set_call>(pool_allocator<set_call>(), lock::lessee_of(core_),
                                                    std::move(handler), std::move(keys_), options_,
                                                    std::move(stop_)),
                     slot);
}

} // namespace redlock::detail
