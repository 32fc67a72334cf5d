#pragma once

#include "core/election/leader_knowledge.hpp"
#include "core/election/next_look.hpp"
#include "core/validity.hpp"

#include <cstdint>
#include <utility>

namespace redlock::core {

/// One who observes a service that keeps what a leader proclaims in one place, and tells of changes there: it
/// is told events and the time, and says what to do. It looks at once, and again whenever something may have
/// changed, one look behind the other, so that what is told is never older than what was seen before. A watch
/// that has begun, also once more, may have missed something: that is a change, too.
class observation {
public:
    enum class action : std::uint8_t {
        look, ///< ask who leads
        tell, ///< what was found; nothing follows
        wait, ///< until then, or until something is heard
        go_on ///< with what it does
    };
    struct step {
        action what;
        instant until = instant::max();
    };

    explicit observation(const leader_mark& known) noexcept : known_(known) {}

    step start() noexcept { return look(); }
    /// A watch has begun, or what is watched has changed.
    step changed() noexcept {
        if (!looks_) return look();
        heard_ = true;
        return {.what = action::go_on};
    }
    /// To a look: that a leader has proclaimed this.
    step found(const leader_mark& proclaimed, instant now) noexcept {
        return known_.is_news(proclaimed) ? tell() : rest(look_plan::with_news, now);
    }
    /// That nobody leads.
    step found_nobody(instant now) noexcept {
        return known_.nobody_is_news() ? tell() : rest(look_plan::with_news, now);
    }
    /// It came to nothing, and may not for a while.
    step unanswered(instant now) noexcept { return rest(look_plan::without_news, now); }
    step time_passed() noexcept { return looks_ ? step{.what = action::go_on} : look(); }

    /// What is to be told of nobody.
    leader_mark mark_of_nobody() const noexcept { return known_.mark_of_nobody(); }

private:
    step look() noexcept {
        looks_ = true;
        heard_ = false;
        return {.what = action::look};
    }
    step tell() noexcept {
        looks_ = false;
        return {.what = action::tell};
    }
    /// What was heard while it looked the look may have missed.
    step rest(nanoseconds pause, instant now) noexcept {
        looks_ = false;
        if (heard_ && pause != look_plan::without_news) return look();
        return {.what = action::wait, .until = saturating_add(now, pause)};
    }

    const leader_knowledge known_;
    bool looks_ = false;
    bool heard_ = false; ///< while it looked
};

} // namespace redlock::core
