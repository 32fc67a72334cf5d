// What a contest writes, and how one with fencing comes by its fencing token.

#include "core/mistake.hpp"
#include "engines/redis/contest/contest_waiting.hpp"

#include <cassert>
#include <memory>

namespace redlock::redis {

// A token that was given back is never written again: a release may be executed, or have to be sent once more
// over another connection, long after a later try was granted. A proposal is as the time is now, also for a
// caller that has waited for its turn.
void contest::renew_claim() {
    const bool outdated = fencing_ && quorum_.now() != claimed_at_;
    if (!is_written_ && !outdated) return;
    claim_ = make_claim(claim_->leads(), *claim_, quorum_.new_token(claim_->ticket()),
                        fencing_ ? quorum_.propose_fence() : 0);
}

// A first try goes out together with its proposal. Whoever knows that others want the key asks once it is
// his, so that those who fail do not push up the fences.
void contest::propose_token() {
    proposed_ = fencing_ && !watch() && !rule_.has_queued();
    if (!proposed_) return;
    assert(!fence()); // whoever has asked for a token in vain is watching since
    round_.propose_token();
}

void contest::ask_for_token() {
    quorum_.counts().fence_retries += proposed_;
    operation& self = *this;
    auto& round = waits().fence;
    if (!round) round.reset(new fence_round(quorum_, self, token_decided, is_settled));
    forget(token_decided);
    round->advance(*claim_);
}

core::contender::step contest::token_was_decided() {
    fence()->close();
    core::round_result r = result();
    if (planted(core::mistake::arbiter_grants)) r.votes = core::verdict::granted;
    r.has_token = has_token();
    r.token_refused = fence()->verdict() == core::verdict::refused;
    if (!r.has_token) r.failure = fence()->failure();
    const core::contender::step next =
        rule_.token_decided(r, quorum_.now(), watch() != nullptr, time::instant::max());
    if (!r.has_token) note_refusal();
    leave_window();
    return next;
}

bool contest::has_token() const noexcept {
    if (fence()) return fence()->verdict() == core::verdict::granted;
    return !fencing_ || has_proposed_token();
}

} // namespace redlock::redis
