#pragma once

#include "core/random.hpp"
#include "time/timer_queue.hpp"
#include "turn/inbox.hpp"
#include "turn/operation.hpp"

#include <cstdint>
#include <optional>

namespace redlock::turn {

/// Told when turns begin and end.
class turn_listener {
public:
    virtual void turn_began() noexcept = 0;
    /// Everything that could be done now is done.
    /// `next` is when to begin a turn at the latest; nothing when no timer is armed.
    virtual void turn_ended(std::optional<time::instant> next) noexcept = 0;

protected:
    ~turn_listener() = default;
};

/// What an engine does in every turn.
class turn_work {
public:
    /// The turn is about to end: acts on what was heard in it, before the calls and the routines do.
    virtual void before_routines() noexcept = 0;
    /// The routines have run. What waited for others to go with it is sent, or waits for the turn that
    /// `flushes`. What comes of that is dealt with in this turn. True when there may be more to send then.
    virtual bool send_what_waits(bool flushes) noexcept = 0;
    /// Behind everything.
    virtual void after_routines() noexcept = 0;

protected:
    ~turn_work() = default;
};

/// The work of one client, which is done in turns on one strand. A turn begins with something from outside
/// (calls from the inbox, replies, the alarm), which raises events; its end runs the routines that became
/// ready and fires the timers that are due. Clock and strand come from outside, real ones from `client_core`,
/// virtual ones from tests.
class turns {
public:
    turns(const time::time_source& clock, std::uint64_t seed, turn_listener& listener, inbox_waker& waker)
        : clock_(clock), listener_(listener), inbox_(waker), now_(clock.now()), random_(seed) {}
    turns(const turns&) = delete;
    turns& operator=(const turns&) = delete;

    /// Before the first turn.
    void set_work(turn_work& work) noexcept { work_ = &work; }

    void begin() noexcept {
        listener_.turn_began();
        now_ = clock_.now();
        readings_ = 0;
    }
    /// `flushes`: what was sent is written when it has ended.
    void end(bool flushes = false);

    /// Calls from any thread arrive here.
    inbox& calls() noexcept { return inbox_; }

    /// When this turn began. Everything that counts from a sending may count from here, which is not after
    /// it.
    time::instant now() const noexcept { return now_; }
    const time::time_source& clock() const noexcept { return clock_; }
    /// By the clock itself: a turn may have begun long ago on a busy machine. For many grants of one turn it
    /// is read once in a while.
    time::instant time_of_grant() noexcept {
        if (readings_++ % grants_for_one_reading == 0) granting_at_ = clock_.now();
        return granting_at_;
    }
    /// Callbacks of the user were called: what time it is shows the clock alone.
    void time_passed() noexcept { readings_ = 0; }

    time::timer_queue& timers() noexcept { return timers_; }
    ready_queue& ready() noexcept { return ready_; }
    core::random& random() noexcept { return random_; }

private:
    static constexpr unsigned grants_for_one_reading = 16;

    const time::time_source& clock_;
    turn_listener& listener_;
    turn_work* work_ = nullptr;
    inbox inbox_;
    time::instant now_;
    unsigned readings_ = 0; ///< of `granting_at_` in this turn
    time::instant granting_at_;
    core::random random_;
    time::timer_queue timers_;
    ready_queue ready_;
};

} // namespace redlock::turn
