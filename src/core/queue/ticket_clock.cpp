#include "core/queue/ticket_clock.hpp"

#include "core/lock_token.hpp"

#include <algorithm>

namespace redlock::core {

std::uint64_t ticket_clock::next(wall_time now) noexcept {
    last_ = std::min(std::max(clock_.propose(now), last_ + 1), lock_token::highest_ticket);
    return last_;
}

} // namespace redlock::core
