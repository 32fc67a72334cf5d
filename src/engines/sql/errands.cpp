#include "engines/sql/errands.hpp"

#include "engines/sql/table_engine.hpp"

#include <fmt/format.h>

#include <memory>

namespace redlock::sql {

namespace {

engine::outcome outcome_of(const reply& r) noexcept {
    switch (r.what) {
    case reply::kind::done:
        return engine::outcome::confirmed;
    case reply::kind::refused:
        return engine::outcome::gone;
    default:
        return engine::outcome::inconclusive;
    }
}

} // namespace

std::string database_failure::describe(std::string_view done) const {
    return fmt::format("the database has not {}: {}", done, sentence_);
}

// Whoever asked may let go of this when it is told, or later.
template <class Listener>
void errand_request<Listener>::answered(const reply& r) noexcept {
    sent = false;
    if (told_) {
        const bool known = r.what == reply::kind::done || r.what == reply::kind::refused;
        if (!known) failure_ = engine_.failure_of(r.why);
        telling_ = true;
        tell(outcome_of(r), r, failure_.get());
        telling_ = false;
    }
    if (!told_) delete this;
}

template <>
void errand_request<engine::renewal_listener>::tell(engine::outcome how, const reply& r,
                                                    const engine::failure* more) noexcept {
    told_->renewal_decided(how, r.sent_at, told_as(r.why), more);
}

template <>
void errand_request<engine::token_listener>::tell(engine::outcome how, const reply& r,
                                                  const engine::failure* more) noexcept {
    const bool odd = how == engine::outcome::confirmed && r.fencing_token == 0;
    told_->token_decided(odd ? engine::outcome::inconclusive : how, r.fencing_token,
                         odd ? errc::no_quorum : told_as(r.why), more);
}

template class errand_request<engine::renewal_listener>;
template class errand_request<engine::token_listener>;

release::release(table_engine& by, claim_pointer held, core::instant end_of_keys, bool lost,
                 turn::outcome_waiters&& told, unsigned tries)
    : request(kind::release, std::move(held)), engine_(by), lost_(lost), tries_(tries) {
    keys_end = end_of_keys;
    told_.swap(told);
}

bool release::outlasts_connection() const noexcept { return told_.empty() && engine_.pays_debts(keys_end); }

void release::answered(const reply& r) noexcept {
    const bool known = r.what == reply::kind::done || r.what == reply::kind::refused;
    const errc how = !known                                    ? errc::no_quorum
                     : lost_ || r.what == reply::kind::refused ? errc::lease_lost
                                                               : errc{};
    const std::unique_ptr<request> until_told(this);
    const auto more = known ? nullptr : engine_.failure_of(r.why);
    // Somebody who has locked the table is waited for: the server takes its time to say so.
    const bool may_pass = !engine_.serves() || r.why == errc::node_timeout;
    if (!known && engine_.pays_debts(keys_end) && (tries_ > 1 || may_pass))
        engine_.give_back(of, keys_end, may_pass ? tries_ : tries_ - 1);
    if (more)
        turn::answer_all(told_, turn::code_of(how), *more);
    else
        turn::answer(told_, turn::code_of(how));
}

} // namespace redlock::sql
