#pragma once

#include "sim/checker.hpp"
#include "sim/inspector.hpp"
#include "sim/weather.hpp"

#include <map>

namespace redlock::sim {

/// Looks after the leases that renew themselves: while a majority of the servers can be reached and has the
/// keys, a lease lives on until its holder gives it back.
class renewal_watch {
public:
    renewal_watch(const event_queue& events, const weather& w, const inspector& servers, checker& c) noexcept
        : events_(events), weather_(w), inspector_(servers), checker_(c) {}

    /// To be called at the interval of the inspector.
    void look();

private:
    struct backing {
        nanoseconds since;     ///< without a break, a majority has been there, and the process
        nanoseconds remaining; ///< of the validity, then
    };

    bool must_have_been_renewed(const backing& b, const checker::lease_view& lease) const noexcept;

    const event_queue& events_;
    const weather& weather_;
    const inspector& inspector_;
    checker& checker_;
    std::map<checker::operation, backing> backed_;
};

} // namespace redlock::sim
