#include "lock/acquire.hpp"

#include "lock/held_lease.hpp"
#include "lock/release.hpp"

#include <redlock/observer.hpp>

#include <algorithm>

namespace redlock::lock {

namespace {

using std::chrono::milliseconds;

// Between two looks at a key that somebody else holds: short enough to be soon there, long enough not to be a
// flood.
constexpr milliseconds first_pause{1};
constexpr milliseconds longest_pause{100};

} // namespace

acquire::acquire(std::shared_ptr<runtime> r, std::shared_ptr<const claim> c, const lock_terms& terms,
                 std::stop_source stop, acquire_listener& listener)
    : operation(r->ready()),
      runtime_(std::move(r)),
      claim_(std::move(c)),
      terms_(terms),
      stop_(std::move(stop)),
      listener_(listener),
      round_(*runtime_, *this, is_decided, is_settled),
      backoff_(first_pause, longest_pause),
      began_at_(runtime_->now()),
      wait_until_(core::saturating_add(began_at_, terms.wait)) {}

void acquire::start() {
    runtime_->acquires().push_back(*this);
    ++runtime_->counts().waiting;
    run(contend());
}

routine acquire::contend() {
    for (bool first = true;; first = false) {
        if (!runtime_->window().enter(*this)) {
            if (const unsigned end = co_await any_of(is_admitted | ends); (end & is_admitted) == 0) {
                // The place may have come in the very same turn.
                if (!runtime_->window().withdraw(*this)) runtime_->window().leave();
                finish(reason_of(end));
                co_return;
            }
        }
        round_.start(*claim_, terms_.life, !first);
        const unsigned end = co_await any_of(is_decided | ends);
        runtime_->window().leave();
        round_.close();
        if ((end & ends) == 0 && round_.verdict() == core::verdict::granted && take_grant()) break;
        release_votes();
        if (end & ends) {
            finish(reason_of(end));
            break;
        }
        if (const errc why = refusal_of_round(); why != errc::held) {
            finish(why);
            break;
        }
        if (wait_is_over()) {
            finish(terms_.wait == core::nanoseconds::zero() ? errc::held : errc::wait_timeout);
            break;
        }
        runtime_->timers().arm(*this, std::min(next_try(), wait_until_));
        if (const unsigned woken = co_await any_of(time_passed | ends); woken & ends) {
            disarm();
            finish(reason_of(woken));
            break;
        }
        if (!round_.settled()) {
            if (const unsigned events = co_await any_of(is_settled | ends); events & ends) {
                finish(reason_of(events));
                break;
            }
        }
        forget(is_decided | is_settled);
    }
    if (!round_.settled()) co_await any_of(is_settled);
}

bool acquire::take_grant() {
    // By the clock itself: this turn may have begun long ago on a busy machine.
    const time::instant now = runtime_->clock().now();
    const core::lease_state state(terms_.lease, round_.sent_at(), now);
    if (state.stop_at() <= now) {
        ++runtime_->counts().late_grants;
        return false;
    }
    ++runtime_->counts().grants;
    --runtime_->counts().waiting;
    unlink();
    auto held = std::allocate_shared<held_lease>(detail::pool_allocator<held_lease>(), runtime_, claim_,
                                                 terms_, state, std::move(stop_));
    held->start();
    if (observer* o = runtime_->observer()) o->granted(claim_->key(), runtime_->now() - began_at_);
    listener_.granted(std::move(held));
    return true;
}

errc acquire::refusal_of_round() noexcept {
    counters& counts = runtime_->counts();
    errc why = errc::held;
    if (round_.verdict() == core::verdict::unreachable) {
        ++counts.no_quorum;
        why = round_.failure();
    } else if (round_.verdict() == core::verdict::granted) {
        // Too late to be of use. Waiting longer would not make the nodes any quicker.
        why = errc::no_quorum;
    } else {
        ++counts.refusals;
        counts.split_votes += round_.votes().count(core::vote::yes) > 0;
    }
    if (observer* o = runtime_->observer()) o->refused(claim_->key(), make_error_code(why));
    return why;
}

void acquire::release_votes() {
    if (const std::uint64_t nodes = round_.may_hold())
        release::start(*runtime_, claim_, nodes,
                       round_.sent_at() + terms_.life + runtime_->settings().node_timeout);
}

time::instant acquire::next_try() noexcept {
    return std::min(round_.free_on_majority(), runtime_->now() + backoff_.next(runtime_->random()));
}

void acquire::finish(errc why) noexcept {
    unlink();
    --runtime_->counts().waiting;
    runtime_->counts().cancelled += why == errc{};
    listener_.not_granted(why);
}

void acquire::routine_ended() noexcept { listener_.acquire_over(); }

} // namespace redlock::lock
