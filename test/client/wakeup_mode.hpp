#pragma once

#include "lock_fixture.hpp"

#include <ostream>

namespace redlock::test {

/// A kind of servers, a user, and what a client makes of them.
struct wakeup_mode {
    const char* name;
    std::vector<std::string> directives;
    std::string rights{}; ///< of the user "worker"; empty: the default user does the work
    bool configure = false;
    wakeup wanted = wakeup::automatic;
    wakeup found;

    /// Whether the servers are started with any `notify-keyspace-events`.
    bool has_flags() const { return !directives.empty() && directives.front().starts_with("notify"); }
};

inline std::ostream& operator<<(std::ostream& out, const wakeup_mode& mode) { return out << mode.name; }

/// The rights that the guide says are enough for a way of waiting.
std::string rights_in_guide(const std::string& way);

/// All ways, each under several conditions.
const std::vector<wakeup_mode>& wakeup_modes();

/// Nodes of such a kind, each behind a proxy.
struct wakeup_fixture : proxied_fixture {
    explicit wakeup_fixture(const wakeup_mode& m);

    config settings() const;
    /// Every node is connected, and how it tells of changes is known.
    bool knows(const client& locks, wakeup found);
    /// The subscriptions that other connections of a node have.
    std::size_t channels(std::size_t node);

    const wakeup_mode& mode;
};

} // namespace redlock::test
