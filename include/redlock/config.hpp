#pragma once

#include <redlock/detail/language.hpp>
#include <redlock/tls_options.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redlock {

class observer;

/// No limit. Accepted wherever a doc comment says so.
inline constexpr std::chrono::milliseconds forever = std::chrono::milliseconds::max();

/// How a waiting client learns that a key became free.
enum class wakeup {
    automatic,       ///< the best of the following that the node supports
    keyspace_events, ///< keyspace notifications (`notify-keyspace-events` must contain K and g, x)
    client_tracking, ///< `CLIENT TRACKING` invalidations
    timed            ///< probes at the holder's expiry and with jittered backoff
};

/// Whom a client logs in as.
struct credentials {
    std::string user{};     ///< of the server's access list; empty for its default user
    std::string password{}; ///< empty for none
};

/// What a client is made of. Every field but `nodes` has a default that suits a data centre.
struct config {
    /// Addresses of independent Redis masters, 1 to 63, an odd number for preference:
    /// `redis://[user[:password]@]host[:port][/database]`, `rediss://…` for TLS, or `unix:///path[?db=N]`,
    /// where `user` and `password` are percent-encoded. A majority of all listed nodes is needed for every
    /// decision, whether they are up or not.
    ///
    /// A node may also be a group of a master and its replicas, behind Sentinels:
    /// `redis+sentinel://[user[:password]@]host[:port][,host[:port]…]/service[/database]`, or
    /// `rediss+sentinel://…`, names up to 15 Sentinels, port 26 379 if none is given, and what they call the
    /// group. User and password are those of its servers; Sentinels that refuse them are asked without. The
    /// group votes by its master, while a majority of its Sentinels names it. Set `restart_guard`: a replica
    /// that is promoted may lack what its master granted last.
    ///
    /// Or a Redis Cluster: `redis+cluster://[user[:password]@]host[:port][,host[:port]…]`, or
    /// `rediss+cluster://…`, names up to 15 of its servers. It is one node, with one vote: each key is on the
    /// master that has its slot, as a majority of the masters says. Set `restart_guard`, for the same reason.
    ///
    /// Or one PostgreSQL database alone, as libpq takes it, with any of its parameters but `service`,
    /// `hostaddr` and `target_session_attrs`: `postgresql://[user[:password]@]host[:port][,…][/database]`. Of
    /// several hosts that is used which takes writes. Locks are rows of its table `redlock`; with the
    /// parameter `redlock=session` they are advisory locks, which end with the session of the client.
    /// `node_timeout` counts as 250 ms there where it is shorter, for a commit waits for a disk;
    /// `restart_guard` is for standbys that are promoted. What is said of queues, wake-ups,
    /// `fence_retention`, `max_inflight` and `tls` does not matter to it.
    ///
    /// Or one MariaDB or MySQL database alone:
    /// `mysql://[user[:password]@]host[:port][,…]/database[?parameter=value…]`, or `mariadb://…`, with
    /// parameters for a Unix socket (`socket`) and for TLS (`ssl-mode`, `ssl-ca`, `ssl-cert`, `ssl-key`).
    /// Locks are rows of its table `redlock`. All else is as with PostgreSQL, but that nobody tells of
    /// releases: who waits looks every 2 to 100 ms, the longer a holder has a lock the less often.
    ///
    /// Or one etcd cluster alone: `etcd://[user[:password]@]host[:port][,host[:port]…][/prefix]`, or
    /// `etcds://…`, names up to 15 of its members, port 2379 if none is given, of which one is used that
    /// answers. Locks are keys under `PREFIX/`, `redlock/` if none is given. `node_timeout` counts as 500 ms
    /// there where it is shorter, for a majority writes to its disks. What is said of queues, wake-ups,
    /// `restart_guard` and `fence_retention` does not matter to it.
    ///
    /// Or one ZooKeeper ensemble alone: `zookeeper://[user:password@]host[:port][,host[:port]…][/root]` names
    /// up to 15 of its servers, port 2181 if none is given, and the folder of the locks, `/redlock` if none
    /// is given. Whoever logs in makes nodes for himself alone. `node_timeout` counts as 500 ms there where
    /// it is shorter. What is said of queues, wake-ups, `restart_guard`, `fence_retention` and `tls` does not
    /// matter to it.
    ///
    /// Or, for tests, `memory://name` alone: an engine that all clients of this process with that address
    /// share, see `testing::memory_handle`. Whatever is said of nodes below does not matter to it.
    std::vector<std::string> nodes{};

    /// Deadline of one command on one node, 1 ms to 1 min, counted from when it is handed to the node. Small
    /// against every ttl. Where nodes are far away it is more, namely eight of the least round trips to a
    /// majority of them, up to a second; and none is given up before the client is 250 ms old, so that it can
    /// connect.
    std::chrono::milliseconds node_timeout{50};

    /// Put before every key, so that several applications can share the nodes. At most 512 bytes.
    std::string key_prefix{};

    /// What `CLIENT LIST` shows; printable ASCII without blanks, at most 64 bytes.
    std::string client_name = "redlock";

    /// How far the clocks of nodes and client may drift apart while a lease lives: ttl × `drift_factor` +
    /// `drift_floor` is taken off every validity (redis.io, "Distributed Locks with Redis", 1 % + 2 ms). 0 ≤
    /// factor < 0.5.
    double drift_factor = 0.01;
    std::chrono::milliseconds drift_floor{2}; ///< the part of the allowance that does not grow with ttl

    /// Rounds on the wire at once, 1 to 65 536; more wait in order, so that they do not push each other past
    /// `node_timeout`. While rounds take more than half of that, fewer are let out. With etcd and ZooKeeper
    /// it bounds the acquires that ask at once, and likewise the releases.
    std::size_t max_inflight = 1024;

    /// Hand-offs between callers of this client in a row before other processes get a chance; at least 1. The
    /// client then gives the key back and holds off, for four round trips where nodes tell who waits that the
    /// key is free, otherwise for as long as it had kept it, 1 to 100 ms. As long as the nodes say that no
    /// other client listens for the key, hand-offs go on for up to 10 ms.
    ///
    /// A key that is handed on from process to process is deleted after as many times in a row, or 100 ms,
    /// and free for a round trip: whoever stands in no queue of the nodes, such as another library, gets a
    /// chance.
    unsigned handoff_limit = 64;

    /// How the client learns that a key it waits for became free. A node that cannot tell in the wanted way
    /// is asked from time to time; `node_metrics::wakeup` says which way is in use. In every mode who waits
    /// stands in a queue on each node besides, where nodes let it, and is handed the key by whoever releases
    /// it (docs/handover.md). With `automatic` it is told so at once where nodes let clients publish, with
    /// the others it asks, the more often the shorter the key was held;
    /// `metrics_snapshot::directed_handovers` counts what was handed over.
    redlock::wakeup wakeup = redlock::wakeup::automatic;

    /// Whether the client may add the flags K, g, x and e to `notify-keyspace-events` on a node that sends no
    /// events. It keeps the flags that are there. Needs the right to `CONFIG GET` and `CONFIG SET`.
    bool configure_servers = false;

    /// The largest ttl + lock_delay in use by any client of these nodes, up to a year: a node that restarted,
    /// or whose clock jumped, votes again only after that long, and is quarantined until then. Its uptime is
    /// read with every connect, its clock once a second (it needs the right to `INFO` and `TIME`). 0 turns
    /// the guard off, which is right only for nodes that keep every acknowledged write (`appendfsync
    /// always`).
    ///
    /// A replica that becomes the master of its group stays out for 3 s more than that.
    std::chrono::milliseconds restart_guard{0};

    /// How long a key's fence outlives its last use, 1 h to 100 years, at least; it goes before a sixteenth
    /// more has passed. After that tokens begin again at the wall clock of whoever takes the lock next.
    std::chrono::hours fence_retention{24};

    /// Told what happens; may be null.
    std::shared_ptr<redlock::observer> observer{};

    /// How connections to `rediss://` nodes are encrypted. The default, without anything set, verifies
    /// certificates and names with the authorities that the system trusts.
    tls_options tls{};

    /// Asked for user and password whenever a connection to a node is made, for servers whose passwords
    /// change; what stands in the node's address is of no matter then. Null: they do not change. Connections
    /// that live go on with what they logged in with.
    ///
    /// It is given the node as `node_metrics::node` names it, or a Sentinel as `sentinel://host:port`, and
    /// called for one connection at a time by whoever runs the client's executor, which waits for it: it must
    /// answer from memory. If it throws, the connection is given up with `errc::authentication_failed`, and
    /// made anew after a while. What it gives is never shown to anybody but the node.
    std::function<redlock::credentials(std::string_view node)> credentials{};

    /// Who this is, for people: a host, a service, a process. It stands in the value of the key behind the
    /// token of the lock, in a database in a column of its own, where `async_inspect` and the `redlock`
    /// command find it, and decides nothing. Up to 64 bytes without control characters; whoever may read the
    /// key can read it. Empty: nobody is told.
    std::string holder_label{};

    /// The double lock: one deployment of another engine than that of `nodes`, by an address that could stand
    /// there alone. Every lock is taken from both, from `nodes` first, and held as long as both say so; so at
    /// most one client has it while either of the two keeps what it promised. Fencing tokens are those of
    /// this one. Exclusive locks and permits only: leaders, and locks for reading and writing, are
    /// `errc::unsupported`. What is said of nodes above holds for it, too. Empty: there is none.
    ///
    /// All clients of a lock must name the same two, in the same order.
    std::string backup{};
};

} // namespace redlock
