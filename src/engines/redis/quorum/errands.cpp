#include "engines/redis/quorum/errands.hpp"

#include <memory>
#include <utility>

namespace redlock::redis {

namespace {

constexpr unsigned is_decided = 1;
constexpr const char* entered_among_readers = "entered among those who read";
constexpr const char* agreed_on_a_token = "agreed on a fencing token for";

engine::outcome outcome_of(core::verdict v) noexcept {
    switch (v) {
    case core::verdict::granted:
        return engine::outcome::confirmed;
    case core::verdict::refused:
        return engine::outcome::gone;
    default:
        return engine::outcome::inconclusive;
    }
}

} // namespace

renewal::renewal(quorum& q, engine::renewal_listener& listener)
    : operation(q.ready()),
      listener_(listener),
      round_(new renew_round(q, static_cast<operation&>(*this), is_decided)),
      failure_(q, *round_) {}

void renewal::start(claim_pointer held, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    await(is_decided);
    round_->start(std::move(held), life, fencing_token);
}

void renewal::events_came() noexcept {
    round_->close();
    listener_.renewal_decided(outcome_of(round_->verdict()), round_->sent_at(), round_->failure(), &failure_);
}

downgrade::downgrade(quorum& q, engine::renewal_listener& listener)
    : operation(q.ready()),
      quorum_(q),
      listener_(listener),
      round_(new downgrade_round(q, static_cast<operation&>(*this), is_decided)),
      failure_(q, *round_, entered_among_readers) {}

void downgrade::start(claim_pointer held, claim_pointer reading, std::chrono::milliseconds life) {
    held_ = std::move(held);
    await(is_decided);
    round_->start(held_, std::move(reading), life);
}

// Others that wait to read get in only where nobody has the key: it must not go from hand to hand.
void downgrade::events_came() noexcept {
    round_->close();
    const engine::outcome decided = outcome_of(round_->verdict());
    if (decided == engine::outcome::confirmed) held_->row.end(quorum_.now());
    listener_.renewal_decided(decided, round_->sent_at(), round_->failure(), &failure_);
}

proclamation::proclamation(quorum& q, engine::proclamation_listener& listener)
    : operation(q.ready()),
      listener_(listener),
      round_(new proclaim_round(q, static_cast<operation&>(*this), is_decided)),
      failure_(q, *round_) {}

// From now on renewals have it, too, whatever becomes of this.
void proclamation::start(const claim_pointer& held, std::uint64_t term, std::string&& value) {
    const auto& leading = static_cast<const leading_claim&>(*held);
    const std::uint64_t version = leading.proclaimed ? leading.proclaimed->mark.version + 1 : 1;
    leading.proclaimed = std::make_unique<const leader_info>(
        leader_info{.value = std::move(value), .mark = {term, version}, .present = true});
    await(is_decided);
    round_->start(held);
}

void proclamation::events_came() noexcept {
    round_->close();
    listener_.proclaimed(outcome_of(round_->verdict()), round_->failure(), &failure_);
}

token_advance::token_advance(quorum& q, engine::claim_pointer held, engine::token_listener& listener)
    : operation(q.ready()),
      held_(std::move(held)),
      listener_(listener),
      round_(new fence_round(q, static_cast<operation&>(*this), is_decided, 0)),
      failure_(q, *round_, agreed_on_a_token) {}

void token_advance::start() {
    await(is_decided);
    round_->advance(static_cast<const claim&>(*held_));
}

void token_advance::events_came() noexcept {
    round_->close();
    listener_.token_decided(outcome_of(round_->verdict()), round_->token(), round_->failure(), &failure_);
}

} // namespace redlock::redis
