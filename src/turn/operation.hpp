#pragma once

namespace redlock::turn {

class ready_queue;

/// Something that waits for events and then goes on. Events are bits; each is remembered until it is
/// forgotten. Raising an event never runs anything: it makes the operation ready, and the end of the turn
/// runs it. Whoever raises events therefore need not know what comes of them.
class operation {
public:
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;

    void raise(unsigned events) noexcept;

protected:
    explicit operation(ready_queue& ready) noexcept : ready_(ready) {}
    ~operation();

    /// Until one of the events is raised, or was: then `events_came` is called, once.
    void await(unsigned events) noexcept;
    /// It waits for nothing any more. The operation may destroy itself here.
    virtual void events_came() = 0;
    /// Nothing is waited for any more.
    void stop_waiting() noexcept;

    /// Whether one of the events is remembered.
    bool pending(unsigned events) const noexcept { return (raised_ & events) != 0; }
    void forget(unsigned events) noexcept { raised_ &= ~events; }
    /// Those of the events that are remembered; they are forgotten then.
    unsigned take(unsigned events) noexcept {
        const unsigned taken = raised_ & events;
        raised_ &= ~events;
        return taken;
    }

private:
    friend class ready_queue;

    ready_queue& ready_;
    operation* next_ = nullptr;
    operation* previous_ = nullptr;
    unsigned raised_ = 0;
    unsigned wanted_ = 0; ///< what it waits for; 0 while it runs or is ready
    bool queued_ = false;
};

/// The operations that can go on, in the order in which they became ready.
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
