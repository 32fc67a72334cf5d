#pragma once

#include "core/validity.hpp"
#include "engines/redis/node/address.hpp"
#include "engines/redis/node/connected_node.hpp"
#include "engines/redis/node/group/whereabouts.hpp"
#include "engines/redis/node/server/server_info.hpp"
#include "network/transport/encryption.hpp"
#include "network/transport/io_source.hpp"
#include "time/instant.hpp"

#include <redlock/config.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace redlock::node {

/// How a connection to one node is kept. The defaults suit a data centre.
struct node_settings {
    /// Deadline of a command of the node's own (`PING`), and what the other limits of time are derived from.
    std::chrono::nanoseconds node_timeout = std::chrono::milliseconds(50);
    /// Given to the server with `SETNAME`; printable ASCII without blanks. Empty: none.
    std::string client_name = "redlock";
    /// Silence on an idle connection after which a `PING` is sent.
    std::chrono::nanoseconds idle_ping = std::chrono::seconds(1);
    /// Carries subscriptions and nothing else, in RESP2, where a connection that listens can do no more. Its
    /// messages are given to the listener as pushes are.
    bool only_listens = false;
    /// Connect also to a replica, and to a server that another node is connected to: to look at it, not to
    /// lock.
    bool refuses_nobody = false;
    /// The largest ttl in use: for that long the node does not vote after a restart, or a jump of its clock,
    /// which is read once in `idle_ping`. 0: it always does.
    std::chrono::nanoseconds restart_guard{0};
    core::drift_allowance drift{};
    std::chrono::nanoseconds backoff_floor = std::chrono::milliseconds(10);
    std::chrono::nanoseconds backoff_ceiling = std::chrono::seconds(2);
    /// Bytes submitted and not yet taken by the socket.
    std::size_t output_limit = std::size_t{16} * 1024 * 1024;
    /// Requests written (or waiting for the first connection) and not yet answered.
    std::size_t request_limit = std::size_t{256} * 1024;
    /// Asked before each login, with the name of the node; what it gives stands in place of the address's.
    /// May throw.
    std::function<credentials(std::string_view)> log_in_as{};
    /// Put around each connection to an address that wants TLS; not null for such.
    std::shared_ptr<network::encryption> tls{};
    /// Of an address that is a group, whose master is connected to; not null for such.
    std::shared_ptr<whereabouts> group{};
    /// Of a server of a cluster: for so long it goes on being taken for the owner of slots that it has lost.
    /// Connect also to a replica, and in RESP3 only. 0: it is in no cluster.
    std::chrono::nanoseconds belief_in_owner{0};
};

class session;

/// A Redis (or Valkey) server behind one pipelined connection over TCP, a Unix socket or TLS, which is made
/// again with jittered exponential backoff whenever it is lost. Or the master of a group, wherever that is.
///
/// All members, the destructor included, are called on `strand`, or while nothing runs on it. The listener,
/// the time source and the source of I/O must live until `stop` has returned or the node is destroyed; what
/// is still in flight then keeps itself alive and calls none of them.
///
/// `submit` refuses with `node_timeout` also when `output_limit` or `request_limit` is reached.
class redis_node final : public connected_node {
public:
    using strand = network::io_source::strand;

    /// `index` is what the listener is told. `seed` feeds the jitter of the backoff: give each node its own.
    redis_node(strand, address, std::uint32_t index, node_settings, node_listener&, const time::time_source&,
               std::uint64_t seed, network::io_source& = network::real_io());
    redis_node(const redis_node&) = delete;
    redis_node& operator=(const redis_node&) = delete;
    /// Closes the connection and calls nobody. Whoever waits for replies calls `stop` first.
    ~redis_node() override;

    using connected_node::stop;
    void start() override;
    /// The end may take as long as the system's resolver when a host name is being resolved.
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;

    /// Whether no asynchronous operation of the node is outstanding.
    bool idle() const noexcept;

    errc submit(const request& r) noexcept override;
    void flush() noexcept override;
    health state() const noexcept override;
    const server_info& server() const noexcept override;
    status report() const override;
    std::chrono::nanoseconds round_trip() const noexcept override;
    std::chrono::nanoseconds usual_round_trip() const noexcept override;
    std::chrono::nanoseconds least_round_trip() const noexcept override;
    std::string_view name() const noexcept override;
    bool reveals_secret(std::string_view text) const noexcept override;
    /// What the server says for people, made `printable`; not when the password is in it.
    std::string quote(std::string_view words) const;

private:
    std::shared_ptr<session> session_;
};

} // namespace redlock::node
