#pragma once

#include "core/backoff.hpp"
#include "engines/zookeeper/address.hpp"
#include "engines/zookeeper/session/call.hpp"
#include "engines/zookeeper/session/connection.hpp"
#include "engines/zookeeper/session/server_word.hpp"
#include "network/transport/io_source.hpp"
#include "time/timer_queue.hpp"

#include <redlock/config.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::zookeeper {

/// What a session needs to know of its client.
struct session_settings {
    core::nanoseconds patience;        ///< for one answer, and for each step of connecting
    std::chrono::milliseconds timeout; ///< that is wished for; the servers have bounds of their own
    std::function<redlock::credentials(std::string_view node)> log_in_as{};
};

/// Told how a session goes. In a turn.
class session_listener {
public:
    /// There is a connection, after there was none: of the session from before, or of a new one.
    virtual void session_serves() = 0;
    /// The connection has ended, or could not be made: continues the name of the servers. Watches are gone.
    virtual void connection_lost(errc why, const std::string& text) = 0;
    /// The session of before is over, and all its nodes with it. A new one follows.
    virtual void session_expired() = 0;
    /// A node that is watched has changed or gone.
    virtual void node_changed(const std::string& path) = 0;

protected:
    ~session_listener() = default;
};

/// A session with an ensemble, over a connection to one of its servers, which is made anew to the next when
/// it ends or an answer takes too long. What was asked for in a turn leaves together. On the strand.
class session final : private connection_listener, private time::timer {
public:
    using strand = network::io_source::strand;

    session(const strand& on, turn::turns& t, const address& to, const session_settings& s,
            session_listener& told);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session();

    void start();
    /// Ends the session, which takes its nodes away, and calls `ended` in a later turn, after a while in any
    /// case.
    void end(std::function<void()> ended);
    /// Ends without a word.
    void stop() noexcept;
    /// In a forked child, from anywhere: likewise. The session stays that of the parent.
    void leave() noexcept;
    /// In a turn: all that was asked for fails.
    void fail_all(errc why);
    /// Forgets whatever was asked for.
    void abandon() noexcept;

    /// In a turn: asks, once there is a connection. Answered in a later turn, or at the end of this.
    call& submit(request_body asks, call::handler told);
    void submit(std::unique_ptr<call> asked) { waiting_.push_back(*asked.release()); }
    bool serves() const noexcept { return phase_ == phase::serving; }
    /// Not all servers have failed since it was connected last.
    bool may_soon_serve() const noexcept;
    bool is_busy() const noexcept { return !waiting_.empty() || !pending_.empty(); }
    bool has_unwritten() const noexcept;
    bool has_several() const noexcept { return turn::has_several(waiting_); }
    void flush() noexcept;
    /// In each turn, behind the routines: fails what cannot be sent.
    void send_what_waits() noexcept;
    void after_routines() noexcept;

    std::int64_t number() const noexcept { return number_; }
    std::chrono::milliseconds timeout() const noexcept { return timeout_; }
    bool is_logged_in() const noexcept;
    /// `host:port` of the server behind the connection, or of the one that is tried.
    const std::string& server() const noexcept { return server_; }
    /// In a turn: asks the server behind the connection, over another one. Null where there is none.
    std::shared_ptr<server_word> ask_word(server_word::handler told);
    std::uint64_t connects() const noexcept { return connects_; }
    std::uint64_t commands() const noexcept { return commands_; }
    std::uint64_t timeouts() const noexcept { return timeouts_; }
    core::nanoseconds round_trip() const noexcept { return round_trip_; }

private:
    enum class phase : std::uint8_t { stopped, connecting, greeting, serving, resting };
    struct pending {
        std::int32_t number;
        core::instant sent_at;
        call* asked;
    };

    void begin_attempt();
    std::optional<std::string> login() const;
    void greet(std::string_view packet);
    void begin_service(const session_grant& g);
    void take_reply(const reply_head& head, std::string_view body);
    void take_event(std::string_view body);
    core::nanoseconds rest_of_all_tried() noexcept;
    void lose(errc why, const std::string& text, bool at_once = false);
    void drop() noexcept;
    void fail_waiting(errc why);
    void fail_pending(errc why);
    void has_ended() noexcept;
    bool reads_first() noexcept;
    std::int32_t next_number() noexcept;
    core::instant next_deadline() const noexcept;

    void connected() override;
    void arrived(std::string_view packet) override;
    void broken(errc why, const std::string& text) override { lose(why, text); }
    void expired(time::instant now) noexcept override;

    std::optional<strand> strand_; ///< nothing once it has stopped for good
    turn::turns& turns_;
    const address& to_;
    const session_settings& settings_;
    session_listener& told_;
    core::backoff waits_;
    std::shared_ptr<connection> link_;
    phase phase_ = phase::stopped;
    turn::live_list<call> waiting_;
    std::deque<pending> pending_;
    std::int64_t number_ = 0;
    std::string password_;
    std::int64_t last_seen_ = 0;
    std::chrono::milliseconds timeout_{};
    std::int32_t last_number_ = 0;
    core::instant written_at_{};
    core::instant armed_for_{}; ///< while it serves
    std::optional<core::instant> pinged_at_;
    bool graced_ = false; ///< past the time of what is awaited, for what has arrived and was not read
    std::string server_;
    std::size_t place_;
    std::uint32_t attempts_ = 0;
    std::size_t failures_ = 0;          ///< since it was connected last
    errc why_ = errc::node_unavailable; ///< it does not serve
    std::function<void()> ended_;       ///< while it ends
    std::unique_ptr<network::wake_timer> closing_timer_;
    std::uint64_t connects_ = 0;
    std::uint64_t commands_ = 0;
    std::uint64_t timeouts_ = 0;
    core::nanoseconds round_trip_{};
};

} // namespace redlock::zookeeper
