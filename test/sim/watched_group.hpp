#pragma once

#include "sim/dice.hpp"
#include "sim/event_queue.hpp"
#include "sim/group_addresses.hpp"
#include "sim/inspector.hpp"
#include "sim/network.hpp"
#include "sim/server.hpp"
#include "sim/trace.hpp"
#include "sim/weather.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace redlock::sim {

/// A master, a replica that is behind by what the master did last, and the Sentinels that make it the master.
/// A master that was replaced goes on serving whoever is connected to it, until a Sentinel gets hold of it.
class watched_group {
public:
    /// `master` is whoever leads the group.
    watched_group(event_queue& events, trace& t, network& net, inspector& i, server_observer& observer,
                  const weather& w, std::uint32_t index, std::unique_ptr<server>& master, std::uint64_t seed);

    /// The replica is promoted now, and the Sentinels hear of it a little later, a majority of them sooner
    /// than the last.
    void fail_over();
    /// Masters that were replaced are none any more.
    void mend();

private:
    /// What one Sentinel believes.
    struct view {
        std::uint64_t epoch = 1;
        std::uint32_t address = 0;
        time::instant since{}; ///< by its own clock
    };

    void replicate();
    void make_sentinel(unsigned which);
    void hear(unsigned which);
    value answer(unsigned which, const words& command) const;
    value describe(unsigned which) const;

    event_queue& events_;
    trace& trace_;
    network& network_;
    inspector& inspector_;
    server_observer& observer_;
    const weather& weather_;
    const std::uint32_t index_;
    std::unique_ptr<server>& master_;
    dice dice_;
    server::contents replica_;
    std::uint32_t fail_overs_ = 0;
    std::vector<std::unique_ptr<server>> former_;
    std::vector<std::unique_ptr<server>> sentinels_;
    std::array<view, group::sentinels> views_;
};

} // namespace redlock::sim
