#pragma once

#include "engine/contest.hpp"
#include "engines/memory/claim.hpp"
#include "engines/memory/memory_engine.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

namespace redlock::memory {

/// One caller that wants a key of the store, and waits in its queue. Owns itself until it is over.
class contest final : public engine::contest,
                      public turn::list_hook,
                      public detail::pooled,
                      private turn::operation,
                      private seeker,
                      private time::timer {
public:
    contest(memory_engine& by, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;
    /// The key runs out earlier than it was told.
    void look_again() noexcept { raise(time_passed); }

private:
    friend class memory_engine;
    ~contest();

    enum event : unsigned { key_is_here = 1, time_passed = 2, begins_anew = 4, ends = 8 };

    void wait();
    void take();
    /// What it took was worth nothing: seeks the key anew.
    void begin_anew(const redlock::engine::claim& before);
    void refuse(errc why);
    void over() noexcept;
    void events_came() noexcept override;
    void key_came() noexcept override { raise(key_is_here); }
    void expired(time::instant) noexcept override { raise(time_passed); }

    memory_engine& engine_;
    engine::contest_listener& listener_;
    engine::claim_pointer claim_;
    const core::nanoseconds ttl_;
    const bool waits_;
    const time::instant wait_until_;
    bool had_to_wait_ = false;
    errc why_ended_{};
};

} // namespace redlock::memory
