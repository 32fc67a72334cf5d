#include "engines/redis/quorum/detachable_round.hpp"

namespace redlock::lock {

void detachable_round::detach() noexcept {
    if (settled()) {
        delete this;
        return;
    }
    close();
    owner_ = nullptr;
    runtime_.stragglers().push_back(*this);
}

} // namespace redlock::lock
