#pragma once

#include "sim/action.hpp"
#include "sim/clock.hpp"
#include "sim/event_queue.hpp"

#include <memory>
#include <vector>

namespace redlock::sim {

class alarm;

/// What one process of the simulated world runs on: a thread, and the clock of its machine. The process can
/// be stopped, which the world notices and the process does not.
class host : public std::enable_shared_from_this<host> {
public:
    explicit host(event_queue& events) noexcept : events_(events), clock_(events) {}
    host(const host&) = delete;
    host& operator=(const host&) = delete;

    event_queue& events() const noexcept { return events_; }
    const sim::clock& clock() const noexcept { return clock_; }
    void set_clock(time::instant shown, std::int64_t faster);
    void jump_clock(nanoseconds by);
    void set_time_of_day(nanoseconds ahead) noexcept { clock_.set_time_of_day(ahead); }

    /// To be done by the process, behind whatever it has to do already. Nothing happens once it has died.
    void post(action what);

    void stop() noexcept { stopped_ = true; }
    void go_on();
    bool stopped() const noexcept { return stopped_; }
    /// When it last went on; the beginning of the world if it was never stopped.
    nanoseconds went_on_at() const noexcept { return went_on_at_; }
    /// By how much its clock has jumped ahead since.
    nanoseconds jumped_since(nanoseconds when) const noexcept;

    void die() noexcept;
    bool dead() const noexcept { return dead_; }

private:
    friend class alarm;
    void run(action what);

    event_queue& events_;
    sim::clock clock_;
    std::vector<action> waiting_; ///< for the process to go on
    std::vector<alarm*> alarms_;
    nanoseconds went_on_at_{0};
    struct jump {
        nanoseconds at;
        nanoseconds by;
    };
    std::vector<jump> jumps_;
    bool stopped_ = false;
    bool dead_ = false;
};

/// Calls its process at an instant of the clock of its host, however that may jump.
class alarm {
public:
    explicit alarm(host& on);
    alarm(const alarm&) = delete;
    alarm& operator=(const alarm&) = delete;
    ~alarm();

    /// Instead of whatever it was set for.
    void set(time::instant at, action ring);
    void cancel() noexcept { ring_ = {}; }
    bool is_set() const noexcept { return static_cast<bool>(ring_); }
    time::instant set_for() const noexcept { return at_; }

private:
    friend class host;
    void schedule();
    void due(std::uint64_t setting);

    std::shared_ptr<host> host_;
    std::shared_ptr<alarm*> self_; ///< what is scheduled finds out here whether the alarm still exists
    time::instant at_{};
    action ring_;
    std::uint64_t setting_ = 0;
};

} // namespace redlock::sim
