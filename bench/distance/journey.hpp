#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

using nanoseconds = std::chrono::nanoseconds;

/// What was measured with one set of nodes.
struct journey {
    nanoseconds majority_trip{0}; ///< of a PING to the third of five
    nanoseconds shared_trip{0};   ///< of PINGs to all of them at once, until the third has answered
    nanoseconds lock_trip{0};     ///< of the bytes that take a lock
    nanoseconds unlock_trip{0};   ///< of the bytes that give it back
    std::vector<nanoseconds> locks;
    std::vector<nanoseconds> pairs;    ///< lock and unlock
    std::vector<nanoseconds> handoffs; ///< from the call of the unlock to the other client's grant
    double cycles_a_second = 0;        ///< with 1024 in flight
    std::size_t failures = 0;          ///< of these
    std::size_t held = 0;              ///< leases of ten seconds, for a while
    std::size_t lost = 0;              ///< of these
};

/// Round trips of a PING over a connection of its own, the median of so many.
nanoseconds ping_trip(const std::string& address, unsigned short port, unsigned times);

/// Where a server is.
struct place {
    std::string address;
    unsigned short port;
};
/// The median of so many times that it takes until a majority has answered a PING that went to all at once:
/// where servers and client share processors, they get in each other's way as they do for a lock.
nanoseconds shared_ping_trip(const std::vector<place>& servers, unsigned times);

/// As `ping_trip`, of what the library sends to a Redis of that version to take a lock and to give it back:
/// where a link is slow the bytes take time on the wire.
struct lock_trips {
    nanoseconds lock;
    nanoseconds unlock;
};
lock_trips trips_of_lock(const std::string& address, unsigned short port, const std::string& version,
                         unsigned times);

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

/// The n-th hundredth of them, in ascending order; 0 of none.
nanoseconds percentile(std::vector<nanoseconds> times, unsigned hundredth);

} // namespace bench
