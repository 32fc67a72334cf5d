#include "engines/etcd/downgrade.hpp"

#include "core/validity.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::etcd {

downgrade::downgrade(etcd_engine& by, claim_pointer held, claim_pointer reading,
                     std::chrono::milliseconds life, engine::renewal_listener& told)
    : operation(by.turns().ready()),
      engine_(by),
      held_(std::move(held)),
      reading_(std::move(reading)),
      life_(life),
      asked_at_(by.turns().now()),
      told_(&told) {}

void downgrade::start() {
    await(1);
    if (!held_->held) return decide(engine::outcome::gone, asked_at_);
    const holding& writing = *held_->held;
    where_ = engine_.downgraded_stand_of(*reading_);
    fencing_token_ = writing.fencing_token;
    under_ = writing.under()->is_shared() ? engine_.leases().shared(life_) : engine_.leases().own(life_);
    under_->join(*this);
    if (under_->is_fresh(asked_at_)) return send();
    if (under_->was_granted()) under_->hurry();
    engine_.keeper().look();
}

void downgrade::send() {
    is_sent_ = true;
    engine_.line().submit(*new inquiry(
        methods::txn,
        downgrade_request(held_->held->where, where_, engine_.value_of(fencing_token_), under_->id()),
        [this](const result& r) { answered(r); }));
}

void downgrade::answered(const result& r) {
    is_sent_ = false;
    const done how = r.failed ? done{} : read_done(r.response);
    if (r.failed) {
        failed(*r.failed);
    } else if (how.what == done::kind::unreadable) {
        failed({.why = errc::protocol_error, .in_doubt = true});
    } else if (how.what == done::kind::key_was_gone) {
        decide(engine::outcome::gone, asked_at_);
    } else {
        has_key(how.revision);
    }
    if (!told_) delete this;
}

void downgrade::failed(const failure& why) {
    if (why.in_doubt) engine_.bury(where_, under_);
    if (why.status == status_code::not_found) engine_.keeper().lost(*under_);
    engine_.note_failure(why);
    decide(engine::outcome::inconclusive, {}, why.why);
}

void downgrade::has_key(messages::revision created) {
    where_.created = where_.modified = created;
    if (!told_) return engine_.give_back(where_, under_);
    const core::instant until = core::saturating_add(asked_at_, core::saturating_nanoseconds(life_));
    reading_->held =
        std::make_unique<holding>(engine_, *reading_, stand(where_), under_, until, fencing_token_);
    reading_->held->shows_token = fencing_token_ != 0;
    decide(engine::outcome::confirmed, under_->sent_at(asked_at_, life_));
}

void downgrade::lease_lives() noexcept {
    if (is_sent_ || pending(1)) return;
    if (!held_->held) return decide(engine::outcome::gone, asked_at_);
    send();
}

void downgrade::lease_failed(errc why) noexcept {
    if (!is_sent_ && !pending(1)) decide(engine::outcome::inconclusive, {}, why);
}

// Where the key for writing was under it, too, the engine says so to whoever holds that.
void downgrade::lease_is_lost() noexcept {
    if (!is_sent_ && !pending(1)) decide(engine::outcome::inconclusive, {}, errc::node_unavailable);
}

void downgrade::decide(engine::outcome how, core::instant sent_at, errc why) noexcept {
    move_out();
    outcome_ = how;
    sent_at_ = sent_at;
    why_ = why;
    raise(1);
}

// Whoever asked may let go of this when it is told.
void downgrade::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    if (told_) told_->renewal_decided(outcome_, sent_at_, told_as(why_), more.get());
    is_telling_ = false;
    if (!told_) delete this;
}

void downgrade::let_go() noexcept {
    told_ = nullptr;
    if (is_telling_) return;
    if (!is_sent_)
        delete this;
    else
        engine_.forsake(*this);
}

} // namespace redlock::etcd
