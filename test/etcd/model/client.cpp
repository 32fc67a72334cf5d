#include "etcd/model/client.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::etcd::model {

using namespace std::chrono_literals;
using action = place::action;

void client::later(core::nanoseconds after, std::function<void()> what) {
    world_.at(world_.now() + after, [this, what = std::move(what)] {
        if (dead_) return;
        if (world_.now() < stopped_until_) return later(stopped_until_ - world_.now(), what);
        what();
    });
}

void client::start() {
    later(world_.between(0ms, 200ms), [this] { want(); });
}

void client::want() {
    if (finishing_) return;
    place_.emplace(true, world_.now() + world_.between(8s, 40s));
    perform(place_->start());
}

void client::perform(place::step s) {
    if (s.behind != place::remains::nothing) clean_up(s.behind);
    if (s.what != action::go_on) ++generation_;
    switch (s.what) {
    case action::get_lease:
        return get_lease();
    case action::ask:
        return ask();
    case action::confirm:
        return confirm();
    case action::refresh:
        awaits_lease_ = true;
        under_->hurry();
        return serve_leases();
    case action::watch:
        watch();
        return wait_until(s.until);
    case action::wait:
        return wait_until(s.until);
    case action::take:
        return take();
    case action::end:
        return end();
    case action::go_on:
        return;
    }
}

void client::wait_until(core::instant when) {
    later(when - world_.now(), [this, step = generation_] {
        if (step == generation_ && place_) perform(place_->time_passed(world_.now()));
    });
}

void client::get_lease() {
    const core::instant now = world_.now();
    if (!under_ || under_->is_over() || under_->is_retired()) under_ = leases_.shared(ttl);
    under_->join(*this);
    if (under_->is_alive(now) && under_->lives_until() - now > ttl / 2) return perform(place_->has_lease());
    awaits_lease_ = true;
    if (under_->was_granted()) under_->hurry();
    serve_leases();
}

void client::serve_leases() {
    const auto all = leases_.all();
    for (const server_lease_pointer& one : all)
        switch (one->needs(world_.now())) {
        case server_lease::need::grant:
            grant(one);
            break;
        case server_lease::need::keep_alive:
            keep_alive(one);
            break;
        case server_lease::need::revoke:
            world_.ask(
                *this, [this, id = one->id()] { return world_.cluster().revoke(id), [] {}; }, [] {});
            leases_.forget(*one);
            break;
        case server_lease::need::nothing:
            if (one->is_over() && !one->is_used()) leases_.forget(*one);
        }
    const core::instant due = leases_.due(world_.now());
    if (due != core::instant::max())
        later(std::max<core::nanoseconds>(due - world_.now(), 1ms), [this] { serve_leases(); });
}

void client::grant(const server_lease_pointer& one) {
    one->sending(world_.now());
    world_.ask(
        *this,
        [this, one] {
            world_.cluster().grant(one->id(), ttl, world_.now());
            return [this, one] {
                one->answered(ttl);
                one->tell_all([](tenant& t) { t.lease_lives(); });
                serve_leases();
            };
        },
        [this, one] {
            one->unanswered(world_.now(), true);
            one->tell_all([](tenant& t) { t.lease_failed(errc::no_quorum); });
            serve_leases();
        });
}

void client::keep_alive(const server_lease_pointer& one) {
    one->sending(world_.now());
    world_.ask(
        *this,
        [this, one] {
            auto left = world_.cluster().keep_alive(one->id(), world_.now());
            if (left == 0s && world_.has(mistake::lost_lease_is_used)) {
                world_.cluster().grant(one->id(), ttl, world_.now());
                left = ttl;
            }
            return [this, one, left] {
                if (world_.has(mistake::life_from_reply)) {
                    one->unanswered(world_.now(), false);
                    one->sending(world_.now());
                }
                if (one->answered(left))
                    one->tell_all([](tenant& t) { t.lease_lives(); });
                else
                    one->tell_all([](tenant& t) { t.lease_is_lost(); });
                serve_leases();
            };
        },
        [this, one] {
            one->unanswered(world_.now(), true);
            one->tell_all([](tenant& t) { t.lease_failed(errc::no_quorum); });
            serve_leases();
        });
}

void client::lease_lives() noexcept {
    if (!place_ || !std::exchange(awaits_lease_, false)) return;
    const place::step s = place_->has_lease();
    perform(s.what == action::go_on ? place_->refreshed(true, world_.now(), world_.draws()) : s);
}

void client::lease_failed(errc why) noexcept {
    if (!place_ || !std::exchange(awaits_lease_, false)) return;
    const place::step s = place_->no_lease(why, world_.now(), world_.draws());
    perform(s.what == action::go_on ? place_->refreshed(false, world_.now(), world_.draws()) : s);
}

void client::lease_is_lost() noexcept {
    awaits_lease_ = false;
    if (held_) {
        held_ = false;
        return end();
    }
    if (place_) perform(place_->lease_lost());
}

void client::ask() {
    key_ = "client-" + std::to_string(number_);
    if (!world_.has(mistake::one_key_for_all_tries)) key_ += "-" + std::to_string(++try_);
    grave_ = key_;
    created_ = modified_ = 0;
    const core::instant sent = world_.now();
    world_.ask(
        *this,
        [this, sent, key = key_, under = under_] {
            const store::answer a = world_.cluster().acquire(key, key, under->id());
            return [this, sent, a] { answered(a, sent); };
        },
        [this] { answered({.said = {.what = verdict::kind::unknown, .why = errc::no_quorum}}, {}); });
}

void client::confirm() {
    const core::instant sent = world_.now();
    world_.ask(
        *this,
        [this, sent, key = key_, created = created_, modified = modified_] {
            const store::answer a = world_.cluster().confirm(key, created, modified);
            return [this, sent, a] { answered(a, sent); };
        },
        [this] { answered({.said = {.what = verdict::kind::failed, .why = errc::no_quorum}}, {}); });
}

void client::answered(const store::answer& a, core::instant sent_at) {
    const core::instant now = world_.now();
    if (a.created != 0) created_ = a.created;
    if (a.modified != 0) modified_ = a.modified;
    inner_ = a.inner_revision;
    asked_at_ = sent_at;
    if (a.said.what == verdict::kind::behind) predecessor_ = a.predecessor;
    if (a.said.what == verdict::kind::lease_gone) under_->lost();
    const bool lives = under_->is_alive(now) && under_->sent_at(sent_at, ttl) >= sent_at - ttl / 4;
    perform(place_->answered(a.said, lives, now, world_.draws()));
}

void client::watch() { world_.watch(*this, predecessor_, ++watch_); }

void client::watch_began(int watch) {
    if (watch != watch_ || !place_ || world_.has(mistake::no_second_look)) return;
    perform(place_->watching());
}

void client::key_deleted(int watch) {
    if (watch != watch_ || !place_) return;
    if (world_.has(mistake::no_confirm) && !place_->asks()) {
        asked_at_ = world_.now();
        return take();
    }
    perform(place_->predecessor_gone());
}

void client::connection_lost() {
    leases_.in_doubt();
    if (place_ && !predecessor_.empty() && !held_) watch();
    serve_leases();
}

void client::take() {
    if (world_.now() >= valid_until()) return perform(place_->came_too_late(world_.now()));
    ++watch_;
    world_.granted(*this, key_, created_, world_.has(mistake::inner_token) ? inner_ : modified_);
    held_ = true;
    const bool is_long = world_.chance(0.1) && !world_.is_calm();
    later(world_.between(5ms, is_long ? 6s : 200ms), [this, step = generation_] {
        if (!held_ || step != generation_) return;
        held_ = false;
        clean_up(place::remains::key);
        end();
    });
    hold_on();
}

// Renewed as the lease of the server is; lost where that has no life left.
void client::hold_on() {
    later(100ms, [this, step = generation_] {
        if (!held_ || step != generation_) return;
        if (under_->is_fresh(world_.now())) asked_at_ = world_.now();
        if (world_.now() < valid_until()) return hold_on();
        held_ = false;
        clean_up(place::remains::key);
        end();
    });
}

void client::end() {
    ++generation_;
    place_.reset();
    predecessor_.clear();
    if (is_tenant()) move_out();
    later(world_.between(0ms, 100ms), [this] { want(); });
}

void client::clean_up(place::remains behind) {
    ++debts_;
    if (behind == place::remains::key)
        remove(key_, created_);
    else
        bury(key_, grave_, under_);
}

// For as long as the lease that the key lives under.
void client::remove(const std::string& key, std::int64_t created) {
    const bool compares = !world_.has(mistake::one_key_for_all_tries);
    world_.ask(
        *this,
        [this, key, created, compares] {
            world_.cluster().remove(key, compares ? std::optional(created) : std::nullopt);
            return [this] { --debts_; };
        },
        [this, key, created] { remove(key, created); });
}

void client::bury(const std::string& key, const std::string& grave, const server_lease_pointer& under) {
    world_.ask(
        *this,
        [this, key, grave, under] {
            world_.cluster().bury(key, grave, under->id(), !world_.has(mistake::no_grave));
            return [this, under] {
                --debts_;
                under->bury();
            };
        },
        [this, key, grave, under] { bury(key, grave, under); });
}

void client::close() {
    for (const server_lease_pointer& one : leases_.all())
        world_.cluster().revoke(one->id());
}

} // namespace redlock::etcd::model
