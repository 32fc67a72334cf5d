#include "sim/user.hpp"

#include "engines/redis/quorum/claim.hpp"
#include "sim/inspector.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::sim {

using namespace std::chrono_literals;

user::user(process& in) : process_(in), dice_(in.draws().seed()), next_(in.host()), impatience_(in.host()) {}

void user::later(alarm& a, nanoseconds after, void (user::*what)()) {
    a.set(process_.host().clock().now() + after, [this, what] { (this->*what)(); });
}

void user::wind_down() {
    if (doing_ == activity::nothing) next_.cancel();
    if (doing_ == activity::holding) later(next_, 1ms, &user::give_back);
    for (const auto& v : std::vector(visits_))
        v->wind_down();
}

void user::pause() {
    doing_ = activity::nothing;
    impatience_.cancel();
    if (process_.winds_down() || process_.is_closing()) return next_.cancel();
    later(next_, dice_.spread(10us, process_.around().weather.longest_pause), &user::begin);
}

lock_options user::draw_options() {
    const weather& w = process_.around().weather;
    lock_options o;
    // Callers who ask for the same take a lease over as it is.
    o.ttl = dice_.chance(0.7) ? w.shortest_ttl
                              : std::chrono::ceil<milliseconds>(dice_.spread(w.shortest_ttl, w.longest_ttl));
    o.wait = dice_.chance(w.waits) ? forever : milliseconds(dice_.chance(0.5) ? 0 : dice_.between(1, 500));
    o.renew = dice_.chance(w.renews);
    if (dice_.chance(0.1)) o.max_hold = 2 * o.ttl;
    if (dice_.chance(0.2))
        o.stop_margin = milliseconds(dice_.between(0, static_cast<int>(o.ttl.count() / 4)));
    if (dice_.chance(w.delays_lock)) o.lock_delay = o.ttl / dice_.between(1, 4);
    o.fencing = dice_.chance(w.fences);
    return o;
}

void user::begin() {
    options_ = draw_options();
    const weather& w = process_.around().weather;
    if (w.other_kinds > 0 && dice_.chance(w.other_kinds)) return begin_visits();
    doing_ = activity::waiting;
    std::string key = fmt::format("k{}", dice_.between(1, static_cast<int>(w.keys)));
    attempt_listener& listener = *this;
    attempts_.push_back(
        std::make_unique<attempt>(process_, listener, std::move(key), options_, std::stop_source()));
    operation_ = attempts_.back()->operation();
    attempts_.back()->start();
    if (dice_.chance(w.cancels))
        impatience_.set(process_.host().clock().now() + dice_.spread(10us, 100ms), [this] {
            if (doing_ == activity::waiting) attempts_.back()->cancel();
        });
}

visit::plan user::draw_visit() {
    const weather& w = process_.around().weather;
    visit::plan p{
        .kind = w.kinds[static_cast<std::size_t>(dice_.between(0, static_cast<int>(w.kinds.size()) - 1))],
        .keys = {},
        .options = options_};
    switch (p.kind) {
    case lock_kind::read_write:
        p.keys = {"rw"};
        p.options.mode = dice_.chance(w.reads) ? mode::read : mode::write;
        break;
    case lock_kind::permits:
        p.keys = {"p"};
        p.options.permits = w.permits;
        break;
    case lock_kind::set:
        // In any order, and now and then not all of them.
        for (unsigned i = 1; i <= keys_of_sets; ++i)
            p.keys.insert(p.keys.begin() + dice_.between(0, static_cast<int>(p.keys.size())),
                          fmt::format("s{}", i));
        if (dice_.chance(0.4)) p.keys.pop_back();
        break;
    case lock_kind::owned:
        p.keys = {"o"};
        p.options.owner = &*owner_;
        break;
    case lock_kind::lead:
        p.keys = {"l"};
        break;
    case lock_kind::kept:
        p.keys = {"kept"};
        // For no longer than a restart guard is.
        p.options.keep = std::chrono::ceil<milliseconds>(dice_.spread(w.shortest_ttl / 2, w.longest_ttl));
        p.options.lock_delay = 0ms;
        break;
    }
    return p;
}

void user::begin_visits() {
    doing_ = activity::visiting;
    owner_.emplace();
    const visit::plan p = draw_visit();
    visit_listener& here = *this;
    const auto add = [&](nanoseconds after) {
        visits_.push_back(std::make_shared<visit>(process_, here, dice_.seed(), p));
        visits_.back()->start(after);
    };
    add(0ns);
    if (p.kind != lock_kind::owned) return;
    // While he holds it, and when it may be lost by now.
    const nanoseconds ttl = options_.ttl;
    for (int others = dice_.between(0, 3); others > 0; --others)
        add(dice_.chance(0.5) ? dice_.spread(10us, process_.around().weather.longest_hold)
                              : dice_.between(ttl / 2, 2 * ttl));
}

void user::visit_over(const visit& v) {
    std::erase_if(visits_, [&](const auto& one) { return one.get() == &v; });
    if (visits_.empty()) pause();
}

void user::attempt_over(attempt& a) {
    std::erase_if(attempts_, [&](const auto& one) { return one.get() == &a; });
}

void user::attempt_granted(detail::lease_pointer held) {
    doing_ = activity::holding;
    impatience_.cancel();
    held_ = std::move(held);
    // The handler of a real call runs on an executor of its own.
    next_.set(process_.host().clock().now(), [this] { hold(); });
}

void user::hold() {
    on_stop_.emplace(held_->stop_token(), [this] { stop_requested(); });
    if (dice_.chance(0.3)) {
        losing_.begin(operation_);
        process_.turn([this] { held_->wait_lost(losing_); });
    }
    if (doing_ != activity::holding || next_.is_set()) return;
    if (process_.winds_down()) return give_back();
    if (dice_.chance(0.1)) return later(next_, dice_.spread(10us, options_.ttl), &user::extend);
    const weather& w = process_.around().weather;
    const nanoseconds ttl = options_.ttl;
    const bool long_time = w.holds_long > 0 && dice_.chance(w.holds_long);
    later(next_, long_time ? dice_.between(ttl, 2 * ttl) : dice_.spread(10us, w.longest_hold),
          dice_.chance(0.2) ? &user::let_go : &user::give_back);
}

// In the middle of a turn of the library. Some holders are slow to clean up.
void user::stop_requested() {
    process_.around().trace("client {} operation {}: told to stop", process_.client(), operation_);
    if (doing_ != activity::holding) return;
    later(next_, dice_.spread(10us, 2 * options_.ttl), dice_.chance(0.2) ? &user::let_go : &user::give_back);
}

void user::extend() {
    extending_.begin(operation_);
    process_.around().checker.extended(operation_);
    const weather& w = process_.around().weather;
    extending_.wanted_ttl = std::chrono::ceil<milliseconds>(dice_.spread(w.shortest_ttl, w.longest_ttl));
    later(next_, dice_.spread(10us, w.longest_hold), &user::give_back);
    process_.turn([this] { held_->extend(extending_); });
}

// As lease::async_unlock does it.
void user::give_back() {
    process_.around().trace("client {} operation {}: unlock", process_.client(), operation_);
    doing_ = activity::giving_back;
    on_stop_.reset();
    held_->disown();
    unlocking_.begin(operation_);
    process_.around().checker.gave_back(operation_);
    const auto held = std::move(held_);
    key_ = std::string(held->claim()->full_key.view());
    token_ = std::string(static_cast<const redis::claim&>(*held->claim()).token());
    process_.turn([&] { held->unlock(unlocking_); });
}

// As ~lease does it.
void user::let_go() {
    process_.around().trace("client {} operation {}: let go", process_.client(), operation_);
    on_stop_.reset();
    held_->let_go();
    process_.around().checker.gave_back(operation_);
    held_.reset();
    pause();
}

void user::waiter::begin(checker::operation of) {
    // One that still waits for an earlier lease.
    if (std::exchange(waits_, true)) {
        turn::list_hook::unlink();
        owner_.process_.around().checker.answered(of_);
    }
    of_ = of;
    owner_.process_.around().checker.asked(of);
}

void user::waiter::answered(const boost::system::error_code& outcome) noexcept {
    user& owner = owner_;
    owner.process_.around().trace("client {} operation {}: {} answered, {}", owner.process_.client(), of_,
                                  call_, outcome.message());
    waits_ = false;
    owner.process_.around().checker.answered(of_);
    if (this != &owner.unlocking_) return;
    if (!outcome)
        owner.process_.around().inspector.given_back(owner.process_.client(), owner.key_, owner.token_);
    owner.pause();
}

} // namespace redlock::sim
