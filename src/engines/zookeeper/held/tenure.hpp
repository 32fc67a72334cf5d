#pragma once

#include "engines/zookeeper/claim.hpp"
#include "time/timer_queue.hpp"

#include <map>
#include <memory>

namespace redlock::zookeeper {

/// Told which keys have run out.
class tenure_listener {
public:
    virtual void tenure_ended(claim_pointer of) = 0;

protected:
    ~tenure_listener() = default;
};

/// The keys of this client, and when each runs out unless it is renewed: the servers know of no such time, so
/// the client sees to it that nobody waits for longer.
class tenures {
public:
    tenures(time::timer_queue& timers, tenure_listener& told) noexcept : timers_(timers), told_(told) {}

    void begin(claim_pointer of, core::instant until);
    /// Or shorten.
    void prolong(const claim& of, core::instant until);
    void end(const claim& of) noexcept { all_.erase(&of); }
    void clear() noexcept { all_.clear(); }

private:
    class one final : private time::timer {
    public:
        one(tenures& in, claim_pointer c) noexcept : in_(in), of_(std::move(c)) {}
        void end_at(core::instant until) { in_.timers_.arm(*this, until); }

    private:
        void expired(time::instant) noexcept override;

        tenures& in_;
        const claim_pointer of_;
    };

    time::timer_queue& timers_;
    tenure_listener& told_;
    std::map<const claim*, one> all_;
};

} // namespace redlock::zookeeper
