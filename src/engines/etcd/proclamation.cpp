#include "engines/etcd/proclamation.hpp"

#include "engines/etcd/etcd_engine.hpp"

#include <utility>

namespace redlock::etcd {

proclamation::proclamation(etcd_engine& by, claim_pointer held, engine::proclamation_listener& told)
    : operation(by.turns().ready()), engine_(by), claim_(std::move(held)), told_(&told) {}

void proclamation::start(std::uint64_t term, std::string_view value) {
    await(1);
    if (!claim_->held) return decide(engine::outcome::gone);
    holding& held = *claim_->held;
    held.proclaims(engine_.names().leader(claim_->full_key.view()), term, value);
    is_sent_ = true;
    engine_.line().submit(*new inquiry(methods::txn, proclaim_request(held.where, held.under()->id()),
                                       [this](const result& r) { answered(r); }));
}

void proclamation::answered(const result& r) {
    is_sent_ = false;
    judge(r);
    if (!told_) delete this;
}

void proclamation::judge(const result& r) {
    if (r.failed && r.failed->status == status_code::not_found && claim_->held)
        engine_.keeper().lost(*claim_->held->under());
    if (!claim_->held) return decide(engine::outcome::gone);
    if (r.failed) {
        engine_.note_failure(*r.failed);
        return decide(engine::outcome::inconclusive, r.failed->why);
    }
    switch (read_proclaimed(r.response, claim_->held->where)) {
    case proclaimed::stands:
        return decide(engine::outcome::confirmed);
    case proclaimed::key_was_gone:
        decide(engine::outcome::gone);
        return engine_.holding_is_gone(*claim_);
    // By a renewal whose answer was lost, which is asked for once more, and takes this along.
    case proclaimed::moved:
        return decide(engine::outcome::inconclusive, errc::node_timeout);
    case proclaimed::unreadable:
        return decide(engine::outcome::inconclusive, errc::protocol_error);
    }
}

void proclamation::decide(engine::outcome how, errc why) noexcept {
    outcome_ = how;
    why_ = why;
    raise(1);
}

// Whoever asked may let go of this when it is told.
void proclamation::events_came() {
    const auto more = outcome_ == engine::outcome::inconclusive ? engine_.failure_of(why_) : nullptr;
    is_telling_ = true;
    if (told_) told_->proclaimed(outcome_, told_as(why_), more.get());
    is_telling_ = false;
    if (!told_) delete this;
}

void proclamation::let_go() noexcept {
    told_ = nullptr;
    if (is_telling_) return;
    if (!is_sent_)
        delete this;
    else
        engine_.forsake(*this);
}

} // namespace redlock::etcd
