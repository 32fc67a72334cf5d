#pragma once

#include "turn/routine.hpp"

#include <coroutine>

namespace redlock::turn {

class ready_queue;

/// Something with a routine of its own that waits for events. Events are bits; each is remembered until the
/// routine takes it. Raising an event never runs the routine: it makes it ready, and the end of the turn runs
/// it. Whoever raises events therefore needs no care about what the routine may do.
class operation {
public:
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;

    void raise(unsigned events) noexcept;
    /// It is about to be raised: begins to bring it near.
    void fetch_ahead() const noexcept;

protected:
    explicit operation(ready_queue& ready) noexcept : ready_(ready) {}
    ~operation();

    /// Runs `body` up to its first wait. Only one at a time.
    void run(routine body);
    bool running() const noexcept { return static_cast<bool>(routine_); }
    /// Ends the routine where it waits. Not from inside it.
    void stop_running() noexcept;

    /// The routine came to its end (and is gone). The operation may destroy itself here.
    virtual void routine_ended() noexcept = 0;

    /// Waits for one of the events without a routine, which then need not be made: `events_came` is called
    /// once, in the place of its next step. The events are still remembered then.
    void await(unsigned events) noexcept;
    virtual void events_came() noexcept {}

    class wait {
    public:
        explicit wait(operation& owner) noexcept : owner_(owner) {}
        bool await_ready() const noexcept { return (owner_.raised_ & owner_.asked_for_) != 0; }
        void await_suspend(std::coroutine_handle<>) noexcept { owner_.wanted_ = owner_.asked_for_; }
        unsigned await_resume() noexcept {
            const unsigned events = owner_.raised_ & owner_.asked_for_;
            owner_.raised_ &= ~events;
            return events;
        }

    private:
        operation& owner_; // nothing else: every wait of a routine has room of its own in its frame
    };

    /// For the routine: `co_await any_of(a | b)` gives those of the events that were raised, and forgets
    /// them.
    wait any_of(unsigned events) noexcept {
        asked_for_ = events;
        return wait(*this);
    }
    /// Whether an event is remembered, without taking it.
    bool pending(unsigned events) const noexcept { return (raised_ & events) != 0; }
    void forget(unsigned events) noexcept { raised_ &= ~events; }

private:
    friend class ready_queue;
    void resume();
    /// Begins to bring near what the routine is about to touch.
    void fetch() const noexcept;

    ready_queue& ready_;
    operation* next_ = nullptr;
    operation* previous_ = nullptr;
    routine routine_;
    unsigned raised_ = 0;
    unsigned asked_for_ = 0; ///< by the latest wait
    unsigned wanted_ = 0;    ///< what the routine waits for; 0 while it runs or is ready
    bool queued_ = false;
};

/// The operations whose routines can go on, in the order in which they became ready.
class ready_queue {
public:
    ready_queue() = default;
    ready_queue(const ready_queue&) = delete;
    ready_queue& operator=(const ready_queue&) = delete;

    bool empty() const noexcept { return first_ == nullptr; }
    /// Runs until nothing is ready any more.
    void run();

private:
    friend class operation;
    void push(operation& op) noexcept;
    void remove(operation& op) noexcept;

    operation* first_ = nullptr;
    operation* last_ = nullptr;
};

} // namespace redlock::turn
