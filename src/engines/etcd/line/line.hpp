#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "engines/etcd/line/connection.hpp"
#include "engines/etcd/line/login.hpp"
#include "engines/etcd/line/traffic.hpp"
#include "network/destination.hpp"
#include "network/transport/encryption.hpp"
#include "network/transport/io_source.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <redlock/config.hpp>
#include <redlock/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::etcd {

/// What goes through encryption to etcd: for `network::make_encryption`.
inline constexpr network::spoken spoken_by_etcd{
    .name = "h2", .plain_scheme = "etcd", .first_bytes = std::string_view("H\0", 2)};

/// What a line needs to know.
struct line_settings {
    /// Members of one cluster, at least one: whichever answers is used.
    std::vector<network::destination> endpoints;
    core::nanoseconds patience; ///< for one answer, unless a call has its own
    /// Null for plain connections; made for `spoken_by_etcd`.
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

/// Keeps one connection to an etcd cluster: to the first of its members that is fit, made anew with the
/// next, behind waits that grow, when it has ended, when a call had no answer in time while nothing else had
/// one either, or when the member has lost its leader. Logs in where there is a user, and again where the
/// token has run out. What was asked for in a turn leaves in one write. On the strand.
class line final : private connection_listener,
                   private traffic_listener,
                   private login_listener,
                   private time::timer {
public:
    line(const strand& on, turn::turns& t, line_settings s, line_listener& told,
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
    /// that is being made, and fails when none of the members can be connected to.
    void submit(call& c) noexcept { traffic_.submit(c); }
    bool serves() const noexcept { return phase_ == phase::serving; }
    /// Some member has not been tried since one last served.
    bool may_soon_serve() const noexcept;
    /// Some call has not been answered. Streams do not count.
    bool is_busy() const noexcept { return traffic_.has_waiting() || traffic_.has_under_way(); }
    bool has_unwritten() const noexcept;
    /// Several calls wait for the flush.
    bool has_several() const noexcept { return traffic_.has_several_waiting(); }
    void flush() noexcept;
    /// In each turn, behind the routines: fails what cannot be sent.
    void send_what_waits();
    /// The server says that the token is not good any more, where that shows in an answer alone: logs in
    /// anew. Calls wait for it meanwhile.
    void renew_token() { token_is_spent(); }

    /// The member in use, or the one that is tried: `host:port`.
    const std::string& endpoint() const noexcept { return endpoint_; }
    std::uint64_t calls() const noexcept { return traffic_.calls(); }
    std::uint64_t timeouts() const noexcept { return timeouts_ + traffic_.timeouts(); }
    std::uint64_t connects() const noexcept { return connects_; }
    core::nanoseconds round_trip() const noexcept { return traffic_.round_trip(); } ///< of calls, smoothed

private:
    friend class stream;
    enum class phase : std::uint8_t {
        stopped,
        resting,    ///< until the next attempt
        connecting, ///< until the server has shown that it speaks HTTP/2
        logging_in,
        serving,
        draining ///< answers are awaited over a connection that takes no more calls
    };

    void begin_attempt();
    void begin_service();
    void log_in();
    std::optional<credentials> ask_for_credentials() const;
    void begin_draining();
    void watch_silence(time::instant now);
    void lose(errc why, const std::string& text);

    void connected() override {}
    void heard() override;
    void woken() override;
    void broken(errc why, const std::string& text) override;
    void member_works() noexcept override;
    void leader_is_missing() override;
    void token_is_spent() override;
    void nothing_is_answered(const std::string& text) override { lose(errc::node_timeout, text); }
    void logged_in(std::string token) noexcept override;
    void not_logged_in(const failure& why) noexcept override;
    void expired(time::instant now) noexcept override;

    std::optional<strand> strand_; ///< nothing once it has stopped for good
    turn::turns& turns_;
    const line_settings settings_;
    line_listener& told_;
    network::io_source& io_;
    core::backoff waits_;
    traffic traffic_;
    std::shared_ptr<connection> link_;
    phase phase_ = phase::stopped;
    std::size_t place_ = 0;                    ///< of the endpoint in use
    std::size_t failures_ = 0;                 ///< in a row
    failure last_{.text = "is not connected"}; ///< of them
    std::string endpoint_;
    std::uint32_t attempts_ = 0;
    core::instant served_since_{};
    core::instant quiet_since_{}; ///< while something is awaited
    bool renewing_ = false;       ///< the token
    bool pinged_ = false;
    bool used_up_ = false; ///< the connection takes no more
    std::uint64_t timeouts_ = 0;
    std::uint64_t connects_ = 0;
};

} // namespace redlock::etcd
