#include "engines/etcd/downgrade.hpp"

#include "core/validity.hpp"
#include "engines/etcd/etcd_engine.hpp"

#include <memory>
#include <utility>

namespace redlock::etcd {

void downgrade::start() {
    begin();
    if (!held().held) return decide(engine::outcome::gone, asked_at());
    const holding& writing = *held().held;
    where_ = by().new_downgraded_stand(*reading_);
    fencing_token_ = writing.fencing_token;
    under_ = writing.under()->is_shared() ? by().leases().shared(life()) : by().leases().own(life());
    do_under(under_);
}

void downgrade::do_it() {
    was_sent();
    by().line().submit(*new inquiry(
        methods::txn,
        downgrade_request(held().held->where, where_, by().value_of(fencing_token_), under_->id()),
        [this](const result& r) { answered(r); }));
}

void downgrade::answered(const result& r) {
    was_answered();
    const done how = r.failed ? done{} : read_done(r.response);
    if (r.failed) {
        failed(*r.failed);
    } else if (how.what == done::kind::unreadable) {
        failed({.why = errc::protocol_error, .in_doubt = true});
    } else if (how.what == done::kind::key_was_gone) {
        decide(engine::outcome::gone, asked_at());
    } else {
        has_key(how.revision);
    }
    end_if_forsaken();
}

void downgrade::failed(const failure& why) {
    if (why.in_doubt) by().bury(where_, under_);
    if (why.status == status_code::not_found) by().keeper().lost(*under_);
    by().note_failure(why);
    decide(engine::outcome::inconclusive, {}, why.why);
}

void downgrade::has_key(messages::revision created) {
    where_.created = where_.modified = created;
    if (!is_awaited()) return by().give_back(where_, under_);
    const core::instant until = core::saturating_add(asked_at(), core::saturating_nanoseconds(life()));
    reading_->held = std::make_unique<holding>(by(), *reading_, stand(where_), under_, until, fencing_token_);
    reading_->held->shows_token = fencing_token_ != 0;
    decide(engine::outcome::confirmed, under_->sent_at(asked_at(), life()));
}

} // namespace redlock::etcd
