#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "core/random.hpp"

#include <redlock/error.hpp>

#include <cstdint>

namespace redlock::pair {

/// What an engine promises with a grant: the key is ours for that long from then on.
struct promise {
    core::instant sent_at;
    core::nanoseconds ttl;
};

/// What is left when both have promised: no more than either.
promise smaller(const promise& one, const promise& other) noexcept;

/// How a key is had of two engines: it is told events and the time, and says what to do.
///
/// The first engine is asked, then the second, always in this order, so that no two contenders can wait for
/// each other. While the second is waited for, the first is held, for half of the life that it has promised:
/// what is left then is worth a lease. Behind that it is given back before it can run out, the contender
/// pauses, and begins anew. So nobody holds the first for long who has not got the second, and no grant rests
/// on a promise that may have passed. Whatever else the second says ends the contest, and gives the first
/// back.
class joint_acquisition {
public:
    enum class action : std::uint8_t {
        ask_first,       ///< for the key; as long as the wish lets it wait
        ask_second,      ///< likewise, until `until` at the most
        withdraw_second, ///< the contest for the second is to end; its end follows
        pause,           ///< until then
        take,            ///< what both have granted: `granted`
        end              ///< without the key
    };
    struct step {
        action what;
        bool gives_back_first = false; ///< before anything else
        core::instant until = core::instant::max();
        errc why{}; ///< of an end, or of a withdrawal
    };

    joint_acquisition(bool waits, core::instant wait_until) noexcept
        : waits_(waits), wait_until_(wait_until) {}

    step start() noexcept;
    step first_granted(const promise& given) noexcept;
    step first_refused(errc why, core::instant now, core::random& draws) noexcept;
    /// Whether a grant of the second is still of use.
    bool wants_second() const noexcept { return phase_ == phase::asks_second; }
    step second_granted(const promise& given) noexcept;
    step second_refused(errc why, core::instant now, core::random& draws) noexcept;
    /// Somebody else has it at the second.
    void second_is_held() noexcept { has_waited_ = true; }
    /// Whoever wanted the key had no use for what both have granted; the second has that part back already.
    step came_too_late() noexcept;
    /// What the first has granted may be gone. Only while the second is asked.
    step first_in_doubt() noexcept;
    /// The pause is over.
    step time_passed(core::instant now) noexcept;
    /// The contender is called off. Of an engine that is being asked, the contest is to end; its end follows.
    step called_off(errc why) noexcept;

    bool asks_first() const noexcept { return phase_ == phase::asks_first; }
    /// After a take.
    const promise& granted() const noexcept { return joint_; }

private:
    enum class phase : std::uint8_t { pauses, asks_first, asks_second, withdraws, over };

    step end(errc why) noexcept;
    step pause(core::instant now, core::random& draws) noexcept;
    bool may_go_on(errc why, core::instant now) const noexcept;

    const bool waits_;
    const core::instant wait_until_;
    core::backoff pauses_{std::chrono::milliseconds(20), std::chrono::seconds(1)};
    phase phase_ = phase::pauses;
    promise first_{};
    promise joint_{};
    core::instant second_until_ = core::instant::max();
    bool holds_first_ = false;
    bool has_waited_ = false;
    bool is_off_ = false;
    errc why_off_{};
    errc last_{}; ///< why it pauses
};

} // namespace redlock::pair
