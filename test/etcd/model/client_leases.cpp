// How a client of the model keeps its leases of the server.

#include "etcd/model/client.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::etcd::model {

using namespace std::chrono_literals;
using action = place::action;

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
            revoke(one);
            break;
        case server_lease::need::nothing:
            if (one->is_over() && !one->is_used() && !one->is_condemned()) leases_.forget(*one);
        }
    const core::instant due = leases_.due(world_.now());
    if (due != core::instant::max())
        later(std::max<core::nanoseconds>(due - world_.now(), 1ms), [this] { serve_leases(); });
}

void client::revoke(const server_lease_pointer& one) {
    one->revoking();
    world_.ask(
        *this,
        [this, one] {
            world_.cluster().revoke(one->id());
            return [this, one] {
                one->lost();
                leases_.forget(*one);
            };
        },
        [this, one] {
            one->not_revoked(world_.now());
            serve_leases();
        });
}

void client::grant(const server_lease_pointer& one) {
    one->sending(world_.now(), term_);
    world_.ask(
        *this,
        [this, one] {
            world_.cluster().grant(one->id(), ttl, world_.now());
            return [this, one, term = world_.cluster().term()] {
                one->granted(ttl, term);
                lives(*one);
            };
        },
        [this, one] { unanswered(*one); });
}

// Whoever stands still answers what came to him when he goes on.
void client::keep_alive(const server_lease_pointer& one) {
    one->sending(world_.now(), term_);
    const bool to_stale = world_.chance(0.5);
    world_.ask(
        *this,
        [this, one, to_stale] {
            store& all = world_.cluster();
            store::kept kept = to_stale && all.has_stale_leader()
                                   ? all.keep_alive_by_stale_leader(one->id(), world_.now())
                                   : all.keep_alive(one->id(), world_.now());
            if (kept.left == 0s && world_.has(mistake::lost_lease_is_used)) {
                world_.cluster().grant(one->id(), ttl, world_.now());
                kept.left = ttl;
            }
            return [this, one, kept] { kept_alive(one, kept); };
        },
        [this, one] { unanswered(*one); });
}

void client::kept_alive(const server_lease_pointer& one, const store::kept& kept) {
    if (one->is_over()) return;
    if (!one->kept_alive(kept.left)) {
        one->tell_all([](tenant& t) { t.lease_is_lost(); });
        return serve_leases();
    }
    if (world_.has(mistake::no_proof)) return proven(one, kept.term);
    world_.ask(
        *this, [this, one] { return [this, one, term = world_.cluster().term()] { proven(one, term); }; },
        [this, one] { unanswered(*one); });
}

void client::proven(const server_lease_pointer& one, std::uint64_t term) {
    if (one->is_over()) return;
    if (world_.has(mistake::life_from_reply)) {
        one->unanswered(world_.now(), false);
        one->sending(world_.now(), term_);
        one->kept_alive(ttl);
    }
    term_ = world_.has(mistake::any_term_prolongs) ? 1 : term;
    one->proven(term_);
    lives(*one);
}

void client::lives(server_lease& one) {
    one.tell_all([](tenant& t) { t.lease_lives(); });
    serve_leases();
}

void client::unanswered(server_lease& one) {
    one.unanswered(world_.now(), true);
    one.tell_all([](tenant& t) { t.lease_failed(errc::no_quorum); });
    serve_leases();
}

void client::refresh() {
    if (under_->is_outlived()) return begin_move();
    awaits_lease_ = true;
    under_->hurry();
    serve_leases();
}

void client::lease_lives() noexcept {
    const bool awaited = std::exchange(awaits_lease_, false);
    if (!place_ || move_) return;
    const bool is_needed = held_ ? debts_ == 0 : awaited && place_->refreshes();
    if (is_needed && (under_->is_outlived() || !doubted_.empty())) return begin_move();
    if (held_ || !awaited) return;
    const place::step s = place_->has_lease();
    perform(s.what == action::go_on ? place_->refreshed(true, world_.now(), world_.draws()) : s);
}

void client::lease_failed(errc why) noexcept {
    if (!place_ || held_ || !std::exchange(awaits_lease_, false)) return;
    const place::step s = place_->no_lease(why, world_.now(), world_.draws());
    perform(s.what == action::go_on ? place_->refreshed(false, world_.now(), world_.draws()) : s);
}

void client::lease_is_lost() noexcept {
    awaits_lease_ = false;
    if (move_ && move_->is_sent) return;
    move_.reset();
    if (held_) return lose();
    if (place_) perform(place_->lease_lost());
}

void client::lose() {
    held_ = false;
    if (!doubted_.empty()) clean_up(place::remains::key);
    end();
}

void client::begin_move() {
    move_.emplace(leases_.shared(ttl), *this);
    if (move_->target->is_alive(world_.now())) return send_move();
    serve_leases();
}

void client::send_move() {
    if (std::exchange(move_->is_sent, true)) return;
    const auto is_it = [&](const occupant& o) { return o.lease == move_->target; };
    move_->is_new = held_ && std::ranges::none_of(doubted_, is_it);
    if (move_->is_new && !world_.has(mistake::doubt_is_forgotten))
        doubted_.emplace_back(move_->target, *this);
    world_.ask(
        *this,
        [this, key = key_, created = created_, written = written_, lease = move_->target->id(),
         is_held = held_, step = generation_] {
            const store::answer a = world_.cluster().move(key, created, written, lease, is_held);
            return [this, a, step] {
                if (step == generation_) moved(a);
            };
        },
        [this, step = generation_] {
            if (step == generation_) moved({.said = {.what = verdict::kind::unknown}});
        });
}

void client::not_moved() {
    if (move_->is_sent) return;
    move_.reset();
    if (!held_) perform(place_->refreshed(false, world_.now(), world_.draws()));
}

void client::moved(const store::answer& a) {
    const server_lease_pointer target = move_->target;
    const auto what = a.said.what;
    const bool is_new = move_->is_new;
    move_.reset();
    if (a.modified != 0) written_ = a.modified;
    const bool is_unknown = what == verdict::kind::unknown && !world_.has(mistake::move_in_doubt_counts);
    if (held_) {
        const bool is_not_there = what == verdict::kind::behind || what == verdict::kind::lease_gone;
        if (is_not_there && is_new)
            std::erase_if(doubted_, [&](const occupant& o) { return o.lease == target; });
        if (is_unknown || is_not_there) return;
        doubted_.clear();
        if (what != verdict::kind::displaced && !target->is_over()) return live_under(target);
        held_ = false;
        return end();
    }
    if (!target->is_over() && what != verdict::kind::behind) live_under(target);
    if (is_unknown) clean_up(place::remains::key);
    const bool is_gone = what == verdict::kind::displaced || under_->is_over();
    if (is_gone || is_unknown) return perform(place_->lease_lost());
    modified_ = written_;
    perform(place_->refreshed(true, world_.now(), world_.draws()));
}

void client::live_under(const server_lease_pointer& other) {
    under_ = other;
    under_->join(*this);
}

} // namespace redlock::etcd::model
