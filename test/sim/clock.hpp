#pragma once

#include "sim/event_queue.hpp"
#include "time/instant.hpp"

#include <cstdint>

namespace redlock::sim {

/// The clock of one machine: it goes at a rate of its own, and may jump.
class clock final : public time::time_source {
public:
    explicit clock(const event_queue& events) noexcept : events_(events) {}

    /// `faster` is in parts per million of true time.
    void set(time::instant shown, std::int64_t faster) noexcept;
    void jump(nanoseconds by) noexcept { shown_ += by; }

    /// What it takes for the time of day, against true time.
    void set_time_of_day(nanoseconds ahead) noexcept { ahead_ = ahead; }

    time::instant now() const noexcept override { return shown_ + shown(events_.now() - since_); }
    std::chrono::system_clock::time_point time_of_day() const noexcept override;
    /// The true time at which it shows `at`, if it does not jump before.
    nanoseconds when(time::instant at) const noexcept;

private:
    nanoseconds shown(nanoseconds passed) const noexcept { return passed + passed * faster_ / 1'000'000; }

    const event_queue& events_;
    nanoseconds ahead_{0};
    nanoseconds since_{0};
    time::instant shown_{};
    std::int64_t faster_ = 0;
};

} // namespace redlock::sim
