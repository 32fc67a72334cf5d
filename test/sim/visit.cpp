#include "sim/visit.hpp"

#include "sim/calls.hpp"
#include "sim/inspector.hpp"
#include "sim/lead_watch.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;
using boost::system::error_code;

visit::visit(process& in, visit_listener& told, std::uint64_t seed, plan wanted)
    : process_(in),
      told_(&told),
      dice_(seed),
      plan_(std::move(wanted)),
      next_(in.host()),
      impatience_(in.host()) {}

template <class... Arguments>
void visit::note(const char* what, const Arguments&... arguments) const {
    process_.around().trace("client {} operation {}: {}", process_.client(),
                            operations_.empty() ? 0 : operations_.front(),
                            fmt::format(fmt::runtime(what), arguments...));
}

std::string visit::full_key(std::size_t index) const {
    return process_.around().weather.config.key_prefix + plan_.keys[index];
}

void visit::later(nanoseconds after, void (visit::*what)()) {
    next_.set(process_.host().clock().now() + after, [this, what] { (this->*what)(); });
}

void visit::start(nanoseconds after) { later(after, &visit::call); }

void visit::wind_down() {
    if (phase_ == phase::planned) return end();
    if (phase_ == phase::holding) later(1ms, &visit::give_back);
}

void visit::call() {
    if (process_.is_closing()) return end();
    const surroundings& around = process_.around();
    phase_ = phase::waiting;
    called_at_ = process_.host().clock().now();
    for (std::size_t i = 0; i < plan_.keys.size(); ++i)
        operations_.push_back(around.checker.began(process_.client(), full_key(i)));
    constexpr const char* modes[] = {"locks", "reads", "writes"};
    note("{} {}{} (ttl {} ms, {} permits, wait {}{}{})", modes[static_cast<int>(plan_.options.mode)],
         fmt::join(plan_.keys, " "), plan_.options.owner ? " as owner" : "", plan_.options.ttl.count(),
         plan_.options.permits, plan_.options.wait.count(), plan_.options.renew ? ", renews" : "",
         plan_.options.fencing ? ", fenced" : "");
    const auto self = shared_from_this();
    const auto handle = [self](const error_code& outcome, auto granted) {
        self->answered(outcome, std::move(granted));
    };
    if (plan_.kind == lock_kind::set)
        call_for_set(process_, plan_.keys, plan_.options, handle, cancellation_.slot());
    else if (plan_.kind == lock_kind::lead)
        call_for_lead(process_, plan_.keys.front(), next_value(), plan_.options, handle,
                      cancellation_.slot());
    else
        call_for_lock(process_, plan_.keys.front(), plan_.options, handle, cancellation_.slot());
    if (dice_.chance(around.weather.cancels))
        impatience_.set(process_.host().clock().now() + dice_.spread(10us, 100ms), [this] { cancel(); });
}

void visit::cancel() {
    if (phase_ != phase::waiting) return;
    note("cancel");
    cancellation_.emit(boost::asio::cancellation_type::terminal);
}

template <class Granted>
void visit::answered(const error_code& outcome, Granted granted_now) {
    impatience_.cancel();
    checker& c = process_.around().checker;
    if (phase_ != phase::waiting) return c.breach("I6: a call for a lock was answered twice");
    if (bool(granted_now) != !outcome)
        c.breach(fmt::format("I6: operation {} came out with {}, and {} lease", operations_.front(),
                             outcome.message(), granted_now ? "a" : "no"));
    if (outcome) return refused(outcome);
    if constexpr (std::is_same_v<Granted, lease_set>)
        set_ = std::move(granted_now);
    else if constexpr (std::is_same_v<Granted, leadership>)
        leads_ = std::move(granted_now);
    else
        lease_ = std::move(granted_now);
    granted();
}

void visit::refused(const error_code& why) {
    note("not granted, {}", why.message());
    checker& c = process_.around().checker;
    const nanoseconds waited = process_.host().clock().now() - called_at_;
    const auto limit = plan_.options.wait;
    if (why == errc::wait_timeout && (limit == forever || waited < limit))
        c.breach(fmt::format("I6: operation {} waited for {} us, and that was all", operations_.front(),
                             waited.count() / 1000));
    for (const checker::operation of : operations_) {
        c.not_granted(of, why.message());
        c.acquire_over(of);
    }
    end();
}

void visit::granted() {
    phase_ = phase::holding;
    granted_at_ = process_.around().inspector.granted_at(process_.client(), full_key(0));
    if (set_) look_at_set();
    for (std::size_t i = 0; i < operations_.size(); ++i)
        tell_checker(i);
    hold();
}

void visit::hold() {
    const auto self = shared_from_this();
    on_stop_.emplace(set_ ? set_.stop_token() : one().stop_token(), [this] { stop_requested(); });
    if (next_.is_set()) return; // it stopped at once
    if (dice_.chance(0.3)) {
        const auto heard = [self](const error_code& how) {
            self->note("wait_lost answered, {}", how.message());
        };
        if (set_)
            set_.async_wait_lost(heard);
        else
            one().async_wait_lost(heard);
    }
    if (process_.winds_down()) return give_back();
    const weather& w = process_.around().weather;
    const nanoseconds ttl = plan_.options.ttl;
    if (!set_ && dice_.chance(0.1)) return later(dice_.spread(10us, ttl), &visit::extend);
    if (plan_.options.mode == mode::write && dice_.chance(0.3))
        return later(dice_.spread(10us, ttl), &visit::downgrade);
    if (leads_ && dice_.chance(0.5)) return later(dice_.spread(10us, ttl), &visit::proclaim);
    const bool long_time = w.holds_long > 0 && dice_.chance(w.holds_long);
    later(long_time ? dice_.between(ttl, 2 * ttl) : dice_.spread(10us, w.longest_hold),
          dice_.chance(0.2) ? &visit::let_go : &visit::give_back);
}

void visit::stop_requested() {
    note("told to stop");
    if (phase_ != phase::holding) return;
    later(dice_.spread(10us, 2 * plan_.options.ttl), dice_.chance(0.2) ? &visit::let_go : &visit::give_back);
}

void visit::extend() {
    const weather& w = process_.around().weather;
    const auto ttl = std::chrono::ceil<milliseconds>(dice_.spread(w.shortest_ttl, w.longest_ttl));
    process_.around().checker.extended(operations_.front());
    const auto self = shared_from_this();
    one().async_extend(ttl,
                       [self](const error_code& how) { self->note("extend answered, {}", how.message()); });
    later(dice_.spread(10us, w.longest_hold), &visit::give_back);
}

// Now and then it is given back while it is on its way.
void visit::downgrade() {
    const auto self = shared_from_this();
    checker& c = process_.around().checker;
    const checker::operation of = operations_.front();
    c.asked(of);
    lease_.async_downgrade([self, of, &c](const error_code& how) {
        self->note("downgrade answered, {}", how.message());
        c.answered(of);
    });
    later(dice_.spread(10us, process_.around().weather.longest_hold), &visit::give_back);
}

// Several times, perhaps, one behind the other or at once.
void visit::proclaim() {
    const auto self = shared_from_this();
    checker& c = process_.around().checker;
    const checker::operation of = operations_.front();
    const std::string value = next_value();
    note("proclaims {}", value);
    c.asked(of);
    leads_.async_proclaim(value, [self, of, &c](const error_code& how) {
        self->note("proclamation answered, {}", how.message());
        c.answered(of);
    });
    const nanoseconds soon = process_.around().weather.longest_hold;
    later(dice_.spread(10us, soon), dice_.chance(0.5) ? &visit::proclaim : &visit::give_back);
}

std::string visit::next_value() {
    return process_.around().leaders.proclaims(operations_.front(), ++proclaimed_);
}

void visit::give_back() {
    note("unlock");
    unlocked_at_ = process_.around().events.now();
    phase_ = phase::giving_back;
    on_stop_.reset();
    checker& c = process_.around().checker;
    for (const checker::operation of : operations_) {
        c.asked(of);
        c.gave_back(of);
    }
    if (plan_.options.keep > milliseconds(0)) c.begins_to_keep(operations_.front());
    const auto self = shared_from_this();
    const auto heard = [self](const error_code& how) { self->given_back(how); };
    if (set_)
        set_.async_unlock(heard);
    else
        one().async_unlock(heard);
}

void visit::given_back(const error_code& outcome) {
    note("unlock answered, {}", outcome.message());
    const surroundings& around = process_.around();
    const bool is_kept = plan_.options.keep > milliseconds(0);
    if (is_kept && outcome)
        around.checker.keeps_not(operations_.front());
    else if (is_kept)
        around.checker.keeps(operations_.front(), kept_until());
    // A reader has an entry and no key, and the other leases of an owner may be there still.
    if (!outcome && !is_kept &&
        (plan_.kind == lock_kind::permits || plan_.kind == lock_kind::set || plan_.kind == lock_kind::lead))
        for (std::size_t i = 0; i < names_.size(); ++i)
            if (!tokens_[i].empty())
                around.inspector.given_back(process_.client(), names_[i], tokens_[i], unlocked_at_);
    for (const checker::operation of : operations_)
        around.checker.answered(of);
    end();
}

// By true time: clocks differ by the drift they may have, and that of the process may have jumped ahead.
nanoseconds visit::kept_until() const {
    const nanoseconds keep = plan_.options.keep;
    const nanoseconds lost = keep * 2 * process_.around().weather.drift / 1'000'000 + 4ms;
    return granted_at_ + keep - lost - process_.host().jumped_since(granted_at_);
}

void visit::let_go() {
    note("let go");
    on_stop_.reset();
    for (const checker::operation of : operations_)
        process_.around().checker.gave_back(of);
    lease_ = lease();
    set_ = lease_set();
    leads_ = leadership();
    end();
}

void visit::end() {
    phase_ = phase::over;
    if (proclaimed_ > 0) process_.around().leaders.ended(operations_.front());
    next_.cancel();
    if (told_) std::exchange(told_, nullptr)->visit_over(*this);
}

} // namespace redlock::sim
