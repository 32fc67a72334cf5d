#include "etcd/model/client.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::etcd::model {

using namespace std::chrono_literals;
using action = place::action;

namespace {

constexpr int observer_count = 2;

} // namespace

client::client(world& in, int number)
    : world_(in),
      number_(number),
      leases_(*this),
      names_(core::client_name(static_cast<std::uint64_t>(number)), [this] { return core::draw(*this); }) {}

void client::later(core::nanoseconds after, std::function<void()> what) {
    world_.at(world_.now() + after, [this, what = std::move(what)] {
        if (dead_) return;
        if (world_.now() < stopped_until_) return later(stopped_until_ - world_.now(), what);
        what();
    });
}

void client::start() {
    later(world_.between(0ms, 200ms), [this] { want(); });
    if (number_ < observer_count) later(0ms, [this] { observe(); });
}

void client::want() {
    if (finishing_) return;
    reads_ = world_.chance(0.5);
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
        return refresh();
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

try_name client::new_name() {
    try_name taken = names_.take("lock");
    if (world_.has(mistake::one_key_for_all_tries)) taken->give_back();
    return taken;
}

void client::ask() {
    name_ = new_name();
    key_ = name_->text();
    created_ = modified_ = 0;
    leads_ = false;
    const core::instant sent = world_.now();
    world_.ask(
        *this,
        [this, sent, key = key_, under = under_, whose = reads_ ? role::reader : role::writer] {
            const store::answer a = world_.cluster().acquire(key, key, under->id(), whose);
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
    if (a.modified != 0) modified_ = written_ = a.modified;
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
    if (observation_) world_.watch_leader(*this, ++leader_watch_);
    if (place_ && !predecessor_.empty() && !held_) watch();
    serve_leases();
}

void client::take() {
    if (world_.now() >= valid_until()) return perform(place_->came_too_late(world_.now()));
    ++watch_;
    world_.granted(*this, key_, world_.has(mistake::inner_token) ? inner_ : modified_);
    held_ = true;
    const bool is_long = world_.chance(0.1) && !world_.is_calm();
    give_back_after(world_.between(5ms, is_long ? 6s : 200ms));
    leads_ = !reads_ && world_.chance(0.4);
    if (leads_) lead();
    if (!reads_ && !leads_ && world_.chance(0.4))
        later(world_.between(1ms, 100ms), [this, step = generation_] {
            if (held_ && step == generation_ && !move_ && doubted_.empty()) downgrade();
        });
    hold_on();
}

void client::give_back_after(core::nanoseconds time) {
    later(time, [this, step = generation_] {
        if (!held_ || step != generation_) return;
        held_ = false;
        clean_up(place::remains::key);
        end();
    });
}

void client::lead() {
    version_ = 1;
    proclaim();
    later(world_.between(1ms, 100ms), [this, step = generation_] {
        if (!held_ || step != generation_) return;
        ++version_;
        proclaim();
    });
}

// What nobody knows of a renewal states again.
void client::proclaim() {
    world_.ask(
        *this,
        [this, key = key_, created = created_, lease = under_->id(),
         mark = leader_mark{static_cast<std::uint64_t>(modified_), version_}] {
            world_.cluster().proclaim(key, created, lease, mark);
            return [] {};
        },
        [] {});
}

// What comes of it too late is given back, and what nobody knows of is made void: the key is held for writing
// until it is known.
void client::downgrade() {
    const try_name name = new_name();
    const std::string reading(name->text());
    ++debts_;
    world_.ask(
        *this,
        [this, held = key_, created = created_, reading, name, under = under_, step = generation_] {
            const store::answer a = world_.cluster().downgrade(held, created, reading, reading, under->id());
            return [this, a, name, step] {
                if (a.said.what != verdict::kind::first) {
                    --debts_;
                } else if (held_ && step == generation_) {
                    --debts_;
                    downgraded(name, a.created);
                } else {
                    remove(std::string(name->text()), 0, name);
                }
            };
        },
        [this, reading, name, under = under_] { bury(reading, name, under); });
}

void client::downgraded(const try_name& reading, std::int64_t created) {
    clean_up(place::remains::key);
    name_ = reading;
    key_ = name_->text();
    created_ = written_ = created;
    reads_ = true;
}

// Renewed as the lease of the server is; lost where that has no life left.
void client::hold_on() {
    later(100ms, [this, step = generation_] {
        if (!held_ || step != generation_) return;
        if (under_->is_fresh(world_.now())) asked_at_ = world_.now();
        if (leads_ && world_.chance(0.3)) proclaim();
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
    move_.reset();
    doubted_.clear();
    if (is_tenant()) move_out();
    later(world_.between(0ms, 100ms), [this] { want(); });
}

void client::clean_up(place::remains behind) {
    ++debts_;
    if (behind == place::remains::key)
        remove(key_, leads_ ? modified_ : 0, name_);
    else
        bury(key_, name_, under_);
    leads_ = false;
}

// For as long as the lease that the key lives under.
void client::remove(const std::string& key, std::int64_t term, const try_name& name) {
    if (name && world_.has(mistake::name_of_unanswered_removal)) name->give_back();
    world_.ask(
        *this,
        [this, key, term, name] {
            world_.cluster().remove(key, term);
            return [this, name] {
                --debts_;
                if (name) name->give_back();
            };
        },
        [this, key, term, name] {
            remove(key, term, world_.has(mistake::name_of_repeated_removal) ? name : nullptr);
        });
}

void client::bury(const std::string& key, const try_name& name, const server_lease_pointer& under) {
    world_.ask(
        *this,
        [this, key, name, under] {
            world_.cluster().bury(key, key, under->id(), !world_.has(mistake::no_grave));
            return [this, under] {
                --debts_;
                under->bury();
            };
        },
        [this, key, name, under] { bury(key, name, under); });
}

void client::close() {
    for (const server_lease_pointer& one : leases_.all())
        world_.cluster().revoke(one->id());
}

} // namespace redlock::etcd::model
