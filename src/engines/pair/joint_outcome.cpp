#include "engines/pair/joint_outcome.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::pair {

void joint_outcome::answered(place of, engine::outcome said, core::instant sent_at, errc why) noexcept {
    assert(answers_ < 2);
    ++answers_;
    sent_at_ = std::min(sent_at_, sent_at);
    if (said == engine::outcome::confirmed) ++confirmed_;
    if (said == engine::outcome::gone) is_gone_ = true;
    if (said != engine::outcome::inconclusive || why_ != errc{}) return;
    why_ = why;
    in_doubt_ = of;
}

std::optional<engine::outcome> joint_outcome::decided() const noexcept {
    if (is_gone_) return engine::outcome::gone;
    if (answers_ < 2) return std::nullopt;
    return confirmed_ == 2 ? engine::outcome::confirmed : engine::outcome::inconclusive;
}

} // namespace redlock::pair
