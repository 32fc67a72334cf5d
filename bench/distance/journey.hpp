#pragma once

#include "distance/trips.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

/// What was measured with one set of nodes.
struct journey {
    nanoseconds majority_trip{0}; ///< of a PING to the third of five
    nanoseconds shared_trip{0};   ///< of PINGs to all of them at once, until the third has answered
    nanoseconds lock_trip{0};     ///< of the bytes that take a lock
    nanoseconds unlock_trip{0};   ///< of the bytes that give it back
    floor_trips floor{};          ///< of a bare loop that sends these to all at once
    std::vector<nanoseconds> locks;
    std::vector<nanoseconds> pairs;    ///< lock and unlock
    std::vector<nanoseconds> handoffs; ///< from the call of the unlock to the other client's grant
    double cycles_a_second = 0;        ///< with 1024 in flight
    std::size_t failures = 0;          ///< of these
    std::size_t held = 0;              ///< leases of ten seconds, for a while
    std::size_t lost = 0;              ///< of these
};

/// With the default configuration.
struct traveller {
    std::vector<std::string> nodes;
    unsigned times;
    std::chrono::milliseconds load_time;

    void lock_alone(journey& to) const;
    void hand_over(journey& to) const;
    void load(journey& to) const;
    void hold(journey& to, std::size_t leases, std::chrono::milliseconds time) const;
};

} // namespace bench
