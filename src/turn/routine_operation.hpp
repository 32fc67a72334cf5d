#pragma once

#include "turn/operation.hpp"
#include "turn/routine.hpp"

#include <coroutine>

namespace redlock::turn {

/// An operation that is carried out by a routine, which waits for its events.
class routine_operation : public operation {
protected:
    using operation::operation;
    ~routine_operation() = default;

    /// Runs `body` up to its first wait. Only one at a time.
    void run(routine body);
    bool running() const noexcept { return static_cast<bool>(routine_); }
    /// Ends the routine where it waits. Not from inside it.
    void stop_running() noexcept;
    /// The routine came to its end (and is gone). The operation may destroy itself here.
    virtual void routine_ended() noexcept = 0;

    class wait {
    public:
        explicit wait(routine_operation& owner) noexcept : owner_(owner) {}
        bool await_ready() const noexcept { return owner_.pending(owner_.asked_for_); }
        void await_suspend(std::coroutine_handle<>) noexcept { owner_.await(owner_.asked_for_); }
        unsigned await_resume() noexcept { return owner_.take(owner_.asked_for_); }

    private:
        routine_operation& owner_; // nothing else: every wait of a routine has room of its own in its frame
    };

    /// For the routine: `co_await any_of(a | b)` gives those of the events that were raised, and forgets
    /// them.
    wait any_of(unsigned events) noexcept {
        asked_for_ = events;
        return wait(*this);
    }

private:
    void events_came() final;

    routine routine_;
    unsigned asked_for_ = 0; ///< by the latest wait
};

} // namespace redlock::turn
