#pragma once

#include "time/instant.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace redlock::time {

class timer_queue;

/// Something that is to happen at an instant. Disarms itself when destroyed.
class timer {
public:
    timer() = default;
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;

    bool armed() const noexcept { return queue_ != nullptr; }
    void disarm() noexcept;

protected:
    ~timer() { disarm(); }

    /// The time has come. The timer is disarmed already and may be armed again, or destroyed.
    virtual void expired(instant now) noexcept = 0;

private:
    friend class timer_queue;
    timer_queue* queue_ = nullptr;
    std::uint32_t position_ = 0; ///< in the heap, or among those that rest
    bool rests_ = false;
    instant due_{};
};

/// The timers of one client, earliest first: a binary heap in which each timer knows its place. It watches no
/// clock: it is told the time. All members on one strand.
///
/// Most timers are disarmed long before they are due. So an armed one rests outside of the heap first, in no
/// order, until the earliest of those that rest is due: only those that have stayed until then are put in
/// order.
class timer_queue {
public:
    timer_queue() = default;
    timer_queue(const timer_queue&) = delete;
    timer_queue& operator=(const timer_queue&) = delete;
    ~timer_queue();

    /// Arms the timer, or moves it when it is armed. `instant::max()` disarms it. Throws std::bad_alloc, but
    /// not for a timer that was armed until now, or for the one that fires.
    void arm(timer& t, instant due);

    /// When to call `fire` next: that may be too early for any timer to be due. Nothing when none is armed.
    std::optional<instant> next() const noexcept;

    /// Calls every timer that is due at `now`, in order. Timers armed meanwhile for an instant not after
    /// `now` wait for the next call at the latest, so that this one ends.
    void fire(instant now) noexcept;

    std::size_t size() const noexcept { return heap_.size() + resting_.size(); }

private:
    friend class timer;
    void remove(timer& t) noexcept { t.rests_ ? remove_resting(t) : remove_from_heap(t); }
    void remove_resting(timer& t) noexcept {
        timer* const last = resting_.back();
        last->position_ = t.position_;
        resting_[t.position_] = last;
        resting_.pop_back();
        t.queue_ = nullptr;
        if (resting_.empty()) first_resting_ = instant::max();
    }
    void remove_from_heap(timer& t) noexcept;
    void put_in_order() noexcept;
    void sift_up(std::size_t position) noexcept;
    void sift_down(std::size_t position) noexcept;
    void place(std::size_t position, timer* t) noexcept;

    std::vector<timer*> heap_; ///< each of the two with room for all
    std::vector<timer*> resting_;
    instant first_resting_ = instant::max(); ///< none of those is due before this
};

} // namespace redlock::time
