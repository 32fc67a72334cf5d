// How an acquire with fencing comes by its token.

#include "lock/acquire.hpp"

#include <redlock/detail/pool.hpp>

#include <memory>

namespace redlock::lock {

// As it is now, also for a caller that has waited for its turn.
void acquire::renew_proposal() {
    if (!terms_.fencing || watch_ || runtime_->now() == began_at_) return;
    claim_ = std::allocate_shared<claim>(detail::pool_allocator<claim>(), *claim_, runtime_->propose_fence());
}

// A first try goes out together with its proposal. Whoever knows that others want the key asks once it is
// his, so that those who fail do not push up the fences.
void acquire::propose_token() {
    if (!terms_.fencing) return;
    proposed_ = !watch_;
    if (!proposed_) return;
    operation& self = *this;
    fence_.reset(new fence_round(*runtime_, self, token_decided, is_settled));
    fence_->propose(*claim_);
}

bool acquire::needs_token(unsigned events) {
    if (!terms_.fencing || (events & ends) || round_.verdict() != core::verdict::granted) return false;
    if (!proposed_) advance_token(*claim_);
    return true;
}

void acquire::advance_token(const claim& c) {
    operation& self = *this;
    if (!fence_) fence_.reset(new fence_round(*runtime_, self, token_decided, is_settled));
    forget(token_decided);
    fence_->advance(c);
}

} // namespace redlock::lock
