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

} // namespace redlock::etcd::model
