// What an acquire writes, and how one with fencing comes by its fencing token.

#include "client/entropy.hpp"
#include "lease/acquire_waiting.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>

namespace redlock::lock {

// A token that was given back is never written again: a release may be executed, or have to be sent once more
// over another connection, long after a later try was granted. A proposal is as the time is now, also for a
// caller that has waited for its turn.
void acquire::renew_claim() {
    const bool outdated = terms_.fencing && runtime_->now() != began_at_;
    if (!round_->has_begun() && !outdated) return;
    claim_ = std::allocate_shared<claim>(detail::pool_allocator<claim>(), *claim_, new_token(),
                                         terms_.fencing ? runtime_->propose_fence() : 0);
}

// A first try goes out together with its proposal. Whoever knows that others want the key asks once it is
// his, so that those who fail do not push up the fences.
void acquire::propose_token() {
    proposed_ = terms_.fencing && !watch();
    if (!proposed_) return;
    fence_.reset();
    round_->propose_token();
}

bool acquire::needs_token(unsigned events) {
    if (!terms_.fencing || (events & ends) || round_->verdict() != core::verdict::granted) return false;
    if (proposed_ && round_->has_token()) return false;
    runtime_->counts().fence_retries += proposed_;
    advance_token(*claim_);
    return true;
}

bool acquire::has_token() const noexcept {
    if (fence_) return fence_->verdict() == core::verdict::granted;
    return !terms_.fencing || (proposed_ && round_->has_token());
}

void acquire::advance_token(const claim& c) {
    operation& self = *this;
    if (!fence_) fence_.reset(new fence_round(*runtime_, self, token_decided, is_settled));
    forget(token_decided);
    fence_->advance(c);
}

} // namespace redlock::lock
