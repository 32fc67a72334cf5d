// How a contest comes by a lease of the server, and how its key gets under another.

#include "engines/etcd/contest/contest.hpp"
#include "engines/etcd/errands.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <utility>

namespace redlock::etcd {

using action = place::action;

// What the lease layer makes of the grant counts from there.
bool contest::lives_enough() const noexcept {
    const core::nanoseconds life = wish_.life;
    return under_->is_alive(engine_.turns().now()) &&
           under_->sent_at(asked_at_, wish_.life) >= asked_at_ - life / 4;
}

void contest::lease_lives() noexcept {
    if (!std::exchange(awaits_lease_, false)) return;
    lease_failure_.reset();
    raise(lease_came);
}

void contest::lease_failed(errc why) noexcept {
    if (!std::exchange(awaits_lease_, false)) return;
    lease_failure_ = why;
    raise(lease_came);
}

server_lease_pointer contest::lease_for_wish() {
    server_leases& leases = engine_.leases();
    return wish_.renews ? leases.shared(wish_.life) : leases.own(wish_.life);
}

// False where it is to be told of that.
bool contest::lives(server_lease& one) {
    const core::instant now = engine_.turns().now();
    if (one.is_alive(now) && now - (one.lives_until() - one.ttl()) < one.ttl() / 2) return true;
    if (one.was_granted())
        engine_.keeper().refresh(one);
    else
        engine_.keeper().look();
    return false;
}

void contest::get_lease() {
    engine_.watches().forget(*this);
    if (!under_ || under_->is_over() || under_->is_retired()) under_ = lease_for_wish();
    under_->join(*this);
    awaits_lease_ = true;
    if (!lives(*under_)) return;
    awaits_lease_ = false;
    raise(lease_came);
}

void contest::refresh() {
    if (under_->is_outlived()) return begin_move();
    awaits_lease_ = true;
    engine_.keeper().refresh(*under_);
}

contest::step contest::lease_answered() {
    const core::instant now = engine_.turns().now();
    core::random& draws = engine_.turns().random();
    if (lease_failure_) {
        failure_ = *std::exchange(lease_failure_, std::nullopt);
        const step s = place_.no_lease(told_as(failure_), now, draws);
        return s.what == action::go_on ? place_.refreshed(false, now, draws) : s;
    }
    if (place_.refreshes() && under_->is_outlived()) {
        begin_move();
        return {.what = action::go_on};
    }
    const step s = place_.has_lease();
    return s.what == action::go_on ? place_.refreshed(true, now, draws) : s;
}

contest::step contest::lease_lost() {
    awaits_lease_ = false;
    lease_failure_.reset();
    forget(lease_came);
    // Of a key that is being moved the answer says what there is.
    if (move_ && move_->is_sent) return {.what = action::go_on};
    move_.reset();
    return place_.lease_lost();
}

// In the place that it has.
void contest::begin_move() {
    move_.emplace(lease_for_wish(), *this);
    if (lives(*move_->target)) raise(move_goes_on);
}

contest::step contest::next_of_move() {
    if (!move_) return {.what = action::go_on};
    if (move_->answer) return end_move(*move_->answer);
    if (move_->failure && !move_->is_sent) {
        failure_ = *move_->failure;
        move_.reset();
        return place_.refreshed(false, engine_.turns().now(), engine_.turns().random());
    }
    if (!move_->is_sent) send_move();
    return {.what = action::go_on};
}

void contest::send_move() {
    move_->is_sent = true;
    server_lease& target = *move_->target;
    if (!target.is_shared()) target.runs_out(true);
    inquiry_ = new inquiry(methods::txn, move_request(where_, engine_.value_of(0), target.id()),
                           [this](const result& r) { moved(r); });
    engine_.line().submit(*inquiry_);
}

void contest::moved(const result& r) noexcept {
    inquiry_ = nullptr;
    raise(move_goes_on);
    if (!r.failed) {
        move_->answer = read_rewritten(r.response, where_);
        return;
    }
    failure_ = r.failed->why;
    if (r.failed->in_doubt) {
        move_->answer.emplace();
        return;
    }
    move_->is_sent = false;
    move_->failure = r.failed->why;
    move_->target->runs_out(false);
    if (r.failed->status == status_code::not_found) engine_.keeper().lost(*move_->target);
}

// Where nobody knows what came of it, neither lease says how long the key lives: that try is over.
contest::step contest::end_move(const rewritten& how) {
    using kind = rewritten::kind;
    if (how.revision != 0) where_.modified = how.revision;
    if (how.what == kind::written_since) {
        move_->target->runs_out(false);
        move_.reset();
    } else {
        arrive(how.what != kind::unreadable);
    }
    if (how.revision != 0) return place_.refreshed(true, engine_.turns().now(), engine_.turns().random());
    if (how.what == kind::unreadable) clean_up(place::remains::key);
    return place_.lease_lost();
}

void contest::arrive(bool for_sure) {
    move_->target->runs_out(false);
    if (!move_->target->is_over()) {
        if (!for_sure) where_.others.push_back(under_);
        under_ = move_->target;
    }
    move_.reset();
    under_->join(*this);
}

} // namespace redlock::etcd
