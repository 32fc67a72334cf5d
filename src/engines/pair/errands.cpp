#include "engines/pair/errands.hpp"

#include "engines/pair/pair_engine.hpp"

#include <utility>

namespace redlock::pair {

renewal::renewal(pair_engine& by, const claim& held, std::chrono::milliseconds life,
                 std::uint64_t fencing_token, engine::renewal_listener& told)
    : told_(told) {
    first_ = by.first().renew(held.first, life, 0, at_first_);
    second_ = by.second().renew(held.second, life, fencing_token, at_second_);
}

// Whoever asked may let go of this when it is told.
void renewal::answered(place of, engine::outcome said, core::instant sent_at, errc why,
                       const engine::failure* more) noexcept {
    outcome_.answered(of, said, sent_at, why);
    if (said == engine::outcome::inconclusive && outcome_.in_doubt() == of) more_ = more;
    const auto decided = outcome_.decided();
    if (!decided || std::exchange(is_told_, true)) return;
    told_.renewal_decided(*decided, outcome_.sent_at(), outcome_.why(),
                          *decided == engine::outcome::inconclusive ? more_ : nullptr);
}

release::release(pair_engine& by, claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost)
    : engine_(by), held_(std::move(held)), keys_end_(keys_end), lost_(lost) {
    told_.swap(told);
    by.releases().push_back(*this);
}

void release::start() { hand_back(engine_.second(), held_->second, at_second_); }

void release::hand_back(engine::engine& to, engine::claim_pointer what, ear& by) {
    turn::outcome_waiters one;
    one.push_back(by);
    to.release(std::move(what), keys_end_, std::move(one), lost_);
}

void release::answered(place of, const boost::system::error_code& outcome) noexcept {
    const errc how = outcome == errc::lease_lost ? errc::lease_lost : outcome ? errc::no_quorum : errc{};
    if (of == place::second) {
        second_ = how;
        return hand_back(engine_.first(), held_->first, at_first_);
    }
    turn::outcome_waiters told;
    told.swap(told_);
    const errc both = joint_release(second_, how);
    delete this;
    turn::answer(told, turn::code_of(both));
}

} // namespace redlock::pair
