#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "engines/etcd/line/call.hpp"
#include "engines/etcd/line/stream.hpp"
#include "network/destination.hpp"
#include "network/transport/encryption.hpp"
#include "network/transport/io_source.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/turns.hpp"

#include <redlock/config.hpp>
#include <redlock/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace redlock::etcd {

using strand = boost::asio::strand<boost::asio::any_io_executor>;

/// What a line needs to know.
struct line_settings {
    /// Members of one cluster, at least one: whichever answers is used.
    std::vector<network::destination> endpoints;
    core::nanoseconds patience; ///< for one answer, unless a call has its own
    /// Null for plain connections; made for the protocol `h2`.
    std::shared_ptr<network::encryption> tls{};
    credentials login{}; ///< without a user nobody logs in
    /// Asked in the place of `login` before each log-in, with the name of the cluster, if not null.
    std::function<credentials(std::string_view node)> log_in_as{};
    std::string name{}; ///< of the cluster, for that
};

/// Told how a line goes. In a turn.
class line_listener {
public:
    /// There is a connection that takes calls, and is logged in. No stream is open on it.
    virtual void line_serves() = 0;
    /// The connection has ended, or could not be made; every call that was sent, and every stream, has been
    /// told before. `text` continues the name of the endpoint, which is `line::endpoint` meanwhile.
    virtual void line_lost(errc why, const std::string& text) = 0;

protected:
    ~line_listener() = default;
};

class connection;

/// Keeps one connection to an etcd cluster: to the first of its members that is fit, made anew with the
/// next, behind waits that grow, when it has ended, when a call had no answer in time while nothing else had
/// one either, or when the member has lost its leader. Logs in where there is a user, and again where the
/// token has run out. What was asked for in a turn leaves in one write. On the strand.
class line final : private time::timer {
public:
    line(const strand& on, turn::turns& t, const line_settings& s, line_listener& told,
         network::io_source& io = network::real_io());
    line(const line&) = delete;
    line& operator=(const line&) = delete;
    ~line();

    // In a turn.
    void start();
    /// Ends without a word; what was asked for stays until `fail_all` or `abandon`.
    void stop() noexcept;
    /// In a forked child, from anywhere: likewise, and the parent's connection goes on.
    void leave() noexcept;
    /// All that was asked for fails, behind which no connection is made.
    void fail_all(errc why);
    /// Forgets whatever was asked for, from anywhere.
    void abandon() noexcept;

    /// Answered in a later turn, or at the end of this. Where there is no connection it waits for the one
    /// that is being made, and fails when that fails.
    void submit(call& c) noexcept;
    bool serves() const noexcept { return serving_; }
    /// Nothing has failed since it began, or was last connected.
    bool may_soon_serve() const noexcept { return started_ && !failed_; }
    /// Some call has not been answered. Streams do not count.
    bool is_busy() const noexcept;
    bool has_unwritten() const noexcept;
    /// Several calls wait for the flush.
    bool has_several() const noexcept;
    void flush() noexcept;
    /// In each turn, behind the routines: fails what cannot be sent.
    void send_what_waits() noexcept;
    /// The server says that the token is not good any more, where that shows in an answer alone: logs in
    /// anew. Calls wait for it meanwhile.
    void renew_token() noexcept;

    /// The member in use, or the one that is tried: `host:port`.
    const std::string& endpoint() const noexcept { return endpoint_; }
    std::uint64_t calls() const noexcept { return calls_; }
    std::uint64_t timeouts() const noexcept { return timeouts_; }
    std::uint64_t connects() const noexcept { return connects_; }
    core::nanoseconds round_trip() const noexcept { return round_trip_; } ///< of calls, smoothed

private:
    bool serving_ = false;
    bool started_ = false;
    bool failed_ = false;
    std::string endpoint_;
    std::uint64_t calls_ = 0;
    std::uint64_t timeouts_ = 0;
    std::uint64_t connects_ = 0;
    core::nanoseconds round_trip_{};
};

} // namespace redlock::etcd
