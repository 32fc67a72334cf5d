#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace bench {

using nanoseconds = std::chrono::nanoseconds;

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

/// Of a bare loop that sends these commands to all at once: until a majority has answered those that take a
/// lock, and until one has answered those that give it back behind that.
struct floor_trips {
    nanoseconds lock;
    nanoseconds pair;
};
floor_trips floor_of_lock(const std::vector<place>& servers, const std::string& version, unsigned times);

/// The n-th hundredth of them, in ascending order; 0 of none.
nanoseconds percentile(std::vector<nanoseconds> times, unsigned hundredth);

} // namespace bench
