#include "engines/redis/quorum/errands.hpp"

#include <utility>

namespace redlock::redis {

namespace {

constexpr unsigned is_decided = 1;
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

token_advance::token_advance(quorum& q, engine::token_listener& listener)
    : operation(q.ready()),
      listener_(listener),
      round_(new fence_round(q, static_cast<operation&>(*this), is_decided, 0)),
      failure_(q, *round_, agreed_on_a_token) {}

void token_advance::start(const claim& held) {
    await(is_decided);
    round_->advance(held);
}

void token_advance::events_came() noexcept {
    round_->close();
    listener_.token_decided(outcome_of(round_->verdict()), round_->token(), round_->failure(), &failure_);
}

} // namespace redlock::redis
