#pragma once

#include "time/instant.hpp"

#include <cstddef>
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
    std::size_t position_ = 0;
    instant due_{};
};

/// The timers of one client, earliest first: a binary heap in which each timer knows its place. It watches no
/// clock: it is told the time. All members on one strand.
class timer_queue {
public:
    timer_queue() = default;
    timer_queue(const timer_queue&) = delete;
    timer_queue& operator=(const timer_queue&) = delete;
    ~timer_queue();

    /// Arms the timer, or moves it when it is armed. `instant::max()` disarms it.
    void arm(timer& t, instant due);

    std::optional<instant> next() const noexcept;

    /// Calls every timer that is due at `now`, in order. Timers armed meanwhile for an instant not after
    /// `now` wait for the next call at the latest, so that this one ends.
    void fire(instant now) noexcept;

    std::size_t size() const noexcept { return heap_.size(); }

private:
    friend class timer;
    void remove(timer& t) noexcept;
    void sift_up(std::size_t position) noexcept;
    void sift_down(std::size_t position) noexcept;
    void place(std::size_t position, timer* t) noexcept;

    std::vector<timer*> heap_;
};

} // namespace redlock::time
