#include "engines/redis/rounds/detachable_round.hpp"

namespace redlock::redis {

void detachable_round::detach() noexcept {
    if (settled()) return gone();
    close();
    detached_ = true;
    quorum_.stragglers().push_back(*this);
}

} // namespace redlock::redis
