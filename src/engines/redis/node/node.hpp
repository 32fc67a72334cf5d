#pragma once

#include "core/histogram.hpp"
#include "engines/redis/node/reply_tag.hpp"
#include "engines/redis/node/server/server_info.hpp"
#include "engines/redis/resp/reply.hpp"
#include "time/instant.hpp"

#include <redlock/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace redlock::node {

/// What a node is good for at the moment.
enum class health : std::uint8_t {
    connecting,  ///< the first attempt to connect is under way; requests wait for it up to their deadline
    ready,       ///< connected and answering
    suspect,     ///< connected, but it let a deadline pass and has sent nothing since
    unavailable, ///< not connected; the next attempt waits for its backoff
    quarantined  ///< connected, but not to be trusted with a vote
};

/// Receives what became of one request: exactly one of the two calls for each accepted request, unless the
/// node is destroyed first. Never called from inside `submit`. `tag` is the one given with the request.
class reply_receiver {
public:
    virtual void on_reply(reply_tag tag, const resp::reply& reply) noexcept = 0;
    /// The request failed: `node_timeout` when its deadline passed (it may still be executed later), any
    /// other code when the connection was lost or never came up (it may have been executed).
    virtual void on_failure(reply_tag tag, errc why) noexcept = 0;

protected:
    ~reply_receiver() = default;
};

/// One command that gives one reply.
struct request {
    std::string_view command;           ///< encoded; copied by `submit` unless it `stays`
    reply_receiver* receiver = nullptr; ///< must live until it was called; null when nobody wants the reply
    reply_tag tag{};
    time::instant deadline; ///< never earlier than that of the request before it
    /// `SUBSCRIBE` or `UNSUBSCRIBE` of one channel. Answered by the push that confirms it, or by an error.
    /// The first one on a connection that carries other commands too has a `PTTL` right behind it.
    bool subscription = false;
    /// The command stays where it is until the next `flush` has returned.
    bool stays = false;
    /// Which of a cluster's servers it is for, where it is about no key.
    std::uint16_t server = 0;
    /// Accepted by a suspect node too, for it must follow what was sent before, and by a quarantined one.
    bool cleanup = false;
};

/// How the keys of a node are dealt out to its servers, as far as it is known.
struct key_layout {
    std::size_t servers = 1;  ///< that have keys
    std::uint64_t number = 0; ///< another one when it has changed
    bool is_whole = true;     ///< every key has a server
};

/// Counts and state of one node, for `client::metrics()`.
struct status {
    health state = health::connecting;
    errc last_error{};             ///< 0 when there was none
    std::string last_error_text;   ///< names the node, the limit and the server's words; never a secret
    std::string master;            ///< of a group: host and port of the server last connected to
    std::uint64_t commands = 0;    ///< written so far
    std::uint64_t timeouts = 0;    ///< requests whose deadline passed
    std::uint64_t connects = 0;    ///< handshakes completed
    std::uint64_t disconnects = 0; ///< connections lost after a completed handshake
    std::uint64_t quarantines = 0; ///< times that it was connected, but not to be trusted with a vote
    std::chrono::nanoseconds round_trip{0}; ///< smoothed; 0 before the first reply
    core::histogram round_trips;            ///< of one request at a time
};

/// Told of what happens at a node between requests. Calls come from the node's strand, never from inside
/// `submit`.
class node_listener {
public:
    /// The node takes requests again. `new_connection` is false when a suspect node merely answered: what was
    /// sent to it before was or will be executed in order. It is true after a handshake: what the connection
    /// before it carried may be lost, and what the server remembered of that connection is gone.
    virtual void on_node_ready(std::uint32_t node, bool new_connection) noexcept = 0;
    /// The node, which is connected to a server that says this of itself, is about to take requests. Gives
    /// the name of another node that is the same server, or nothing.
    virtual std::string_view same_server(std::uint32_t /*node*/,
                                         const server_info& /*server*/) const noexcept {
        return {};
    }
    /// Another server has become this node, and what the one before it kept may be lost: once when it is
    /// connected to, and once more before it takes requests.
    virtual void on_node_moved(std::uint32_t /*node*/) noexcept {}
    /// The node stopped taking requests: it is suspect, unavailable or quarantined. Also when it does not
    /// begin to, for being quarantined.
    virtual void on_node_down(std::uint32_t node) noexcept = 0;
    /// An out-of-band message: a RESP3 push, such as a keyspace notification.
    virtual void on_push(std::uint32_t node, const resp::reply& message) noexcept = 0;
    /// Begins every entry into the strand that a node caused.
    virtual void on_turn_begin() noexcept {}
    /// Ends every entry into the strand that a node caused, such as a batch of replies, a timer, or the
    /// outcome of a connect: the moment to act on all that was heard. What was submitted since the last flush
    /// is written when somebody calls `flush`, here or soon after, not by itself.
    virtual void on_turn_end() noexcept = 0;

protected:
    ~node_listener() = default;
};

class fast_path;

/// One Redis master, the master of a group, or a cluster. All members are called on one strand.
class node {
public:
    virtual ~node() = default;

    /// Takes a request, to be written at the next `flush`. Returns 0 when it was accepted, otherwise why not
    /// at once
    /// (`node_timeout` for a suspect node, `node_unavailable`, `authentication_failed`, …); a request that
    /// was not accepted is forgotten, and its receiver is not called.
    virtual errc submit(const request& r) noexcept = 0;

    /// For most requests; null when all have to go through `submit`.
    fast_path* fast() const noexcept { return fast_; }

    /// Writes what was submitted since the last flush, in one write where the socket takes it.
    virtual void flush() noexcept = 0;

    virtual health state() const noexcept = 0;
    /// What the server said of itself when the latest connection began; before the first one nothing but the
    /// database, which the address names.
    virtual const server_info& server() const noexcept = 0;
    /// Whether it is connected to the server of this run id.
    virtual bool has_server(std::string_view run_id) const noexcept {
        const health now = state();
        return now != health::unavailable && now != health::connecting && server().run_id == run_id;
    }
    virtual status report() const = 0;
    /// Smoothed; 0 before the first reply.
    virtual std::chrono::nanoseconds round_trip() const noexcept = 0;
    /// Without most of the time that answers waited here to be read (core/flow/usual_round_trip.hpp).
    virtual std::chrono::nanoseconds usual_round_trip() const noexcept = 0;

    /// Between the two systems, as it was when the latest connection began; 0 where that is not known.
    virtual std::chrono::nanoseconds least_round_trip() const noexcept { return std::chrono::nanoseconds(0); }

    /// A key is on one of them, and what goes over a connection concerns that one alone.
    virtual bool has_several_servers() const noexcept { return false; }
    virtual key_layout layout() const noexcept { return {}; }

    /// scheme, host, port (or path) and database; never user or password.
    virtual std::string_view name() const noexcept = 0;
    /// Whether a text has the password in it that this node logs in with.
    virtual bool reveals_secret(std::string_view /*text*/) const noexcept { return false; }

protected:
    fast_path* fast_ = nullptr;
};

} // namespace redlock::node
