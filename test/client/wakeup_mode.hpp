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
};

inline std::ostream& operator<<(std::ostream& out, const wakeup_mode& mode) { return out << mode.name; }

/// The minimal rights of the README.
inline const std::string rights_for_timed =
    "~lock:* resetchannels -@all +set +get +del +pttl +pexpire +eval +evalsha "
    "+ping +info +hello +client|setname";
inline const std::string rights_for_events =
    rights_for_timed + " &__keyspace@0__:lock:* +subscribe +unsubscribe";
inline const std::string rights_for_tracking = rights_for_timed + " +client|tracking +client|caching";

inline const std::vector<wakeup_mode> wakeup_modes = {
    {.name = "events", .directives = {"notify-keyspace-events Kg"}, .found = wakeup::keyspace_events},
    {.name = "events, minimal rights",
     .directives = {"notify-keyspace-events KEA"},
     .rights = rights_for_events,
     .found = wakeup::keyspace_events},
    {.name = "events, set by the client",
     .directives = {"notify-keyspace-events Es"},
     .configure = true,
     .found = wakeup::keyspace_events},
    {.name = "tracking", .directives = {}, .found = wakeup::client_tracking},
    {.name = "tracking, minimal rights",
     .directives = {},
     .rights = rights_for_tracking,
     .found = wakeup::client_tracking},
    {.name = "tracking, CONFIG forbidden",
     .directives = {},
     .rights = "~lock:* &* +@all -config",
     .configure = true,
     .found = wakeup::client_tracking},
    {.name = "tracking, SUBSCRIBE forbidden",
     .directives = {"notify-keyspace-events KEA"},
     .rights = "~lock:* &* +@all -subscribe",
     .found = wakeup::client_tracking},
    {.name = "tracking, wanted",
     .directives = {"notify-keyspace-events KEA"},
     .wanted = wakeup::client_tracking,
     .found = wakeup::client_tracking},
    {.name = "timed, minimal rights",
     .directives = {"notify-keyspace-events KEA"},
     .rights = rights_for_timed,
     .found = wakeup::timed},
    {.name = "timed, wanted",
     .directives = {"notify-keyspace-events KEA"},
     .wanted = wakeup::timed,
     .found = wakeup::timed},
};

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
