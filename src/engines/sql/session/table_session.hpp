#pragma once

#include "engines/sql/failover_guard.hpp"
#include "engines/sql/session/batch.hpp"
#include "engines/sql/session/handshake.hpp"
#include "engines/sql/session/left_rows.hpp"
#include "engines/sql/session/session.hpp"
#include "engines/sql/session/session_ledger.hpp"
#include "engines/sql/session/unconfirmed_releases.hpp"
#include "turn/live_list.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::sql {

/// One statement beside those of locks, in a transaction of its own. Owns itself until it was answered.
class inquiry : public turn::list_hook, public detail::pooled {
public:
    explicit inquiry(statement s) : asks(std::move(s)) {}
    virtual ~inquiry() = default;
    /// As in `request`.
    /// No error.
    virtual void answered(const answer& a) noexcept = 0;
    virtual void failed(errc why) noexcept = 0;

    statement asks;
    bool sent = false;
};

/// Told how the session of the table goes. In a turn.
class table_listener {
public:
    /// It is ready for requests, after it was not. `in_doubt`: what is held may be gone.
    virtual void table_serves(const server& found, bool in_doubt) = 0;
    /// It is ready no more, or could not be made ready.
    virtual void table_lost(errc why, const std::string& text) = 0;
    /// A release that was carried out may have been taken back by a crash.
    virtual void release_in_doubt(claim_pointer of, core::instant keys_end) = 0;

protected:
    ~table_listener() = default;
};

/// The session that reads and writes the rows of locks. What was asked for in a turn leaves together with
/// whatever else came while the transaction before was under way. On the strand.
class table_session final : private session_listener, private time::timer {
public:
    table_session(const strand& on, turn::turns& t, const dialect& to, const session_settings& s,
                  core::nanoseconds restart_guard, std::string holder_label, table_listener& told);
    ~table_session();

    void start() { line_.start(); }
    void stop() noexcept;
    void leave() noexcept { line_.leave(); }
    /// In a turn: all that was asked for fails.
    void fail_all(errc why);
    /// Forgets whatever was asked for.
    void abandon() noexcept;

    /// In a turn. Answered in a later one, or at the end of this.
    void submit(request& r) noexcept;
    void submit(inquiry& q) noexcept;
    bool serves() const noexcept { return line_.is_serving(); }
    /// Some of what was asked for has not been answered.
    bool is_busy() const noexcept;
    bool has_unwritten() const noexcept;
    /// Several requests wait for the flush.
    bool has_several() const noexcept;
    void flush() noexcept;
    /// In each turn, behind the routines: fails what cannot be sent. Whether routines may have something to
    /// do.
    bool send_what_waits() noexcept;
    void after_routines() noexcept;

    /// Whether what was granted has not ended with its session meanwhile: an answer and the end of the
    /// connection may come together.
    bool still_has(const claim& granted) const {
        return !ledger_ || ledger_->keep(granted.full_key, granted.token()) == session_ledger::verdict::send;
    }
    const server& behind() const noexcept { return server_; }
    /// Why no server serves, where it is for want of rights.
    const std::vector<std::string>& missing_rights() const noexcept { return missing_rights_; }
    const failover_guard& guard() const noexcept { return guard_; }
    const session& line() const noexcept { return line_; }
    std::uint64_t commands() const noexcept { return commands_; }
    std::uint64_t timeouts() const noexcept { return timeouts_; }
    std::uint64_t quarantines() const noexcept { return quarantines_; }
    core::nanoseconds round_trip() const noexcept { return round_trip_; }

private:
    enum class awaited : std::uint8_t { handshake, locks, wake, inquiry, purge };
    using requests = turn::live_list<request>;

    bool may_be_sent(const request& r);
    static reply unsent_reply(const request& r) noexcept;
    void answer(request& r, const reply& told) noexcept;
    requests& waiting(request::kind k) noexcept { return waiting_[static_cast<std::size_t>(k)]; }
    bool has_requests() const noexcept;
    void fill() noexcept;
    void send(awaited what, const statements& all) noexcept;
    void take(const handshake::step& s);
    void begin_service();
    void tell(std::vector<batch::outcome> all) noexcept;
    void fail_waiting(errc why, bool all) noexcept;
    void close_gate() noexcept;
    void send_locks() noexcept;
    bool ask_rest(std::vector<sql::answer>& told) noexcept;
    void read_locks(const std::vector<sql::answer>& all);
    void note_commit(bool has_waited, const std::vector<batch::outcome>& all);
    void tell_of_freed() noexcept;
    void send_inquiries() noexcept;
    void take(inquiry& asked, const std::vector<sql::answer>& all) noexcept;
    errc failure_of(const sql::answer& failed) const noexcept;
    void send_purge() noexcept;
    void look_at(awaited what, const std::vector<sql::answer>& all);

    void connected() override;
    void answered(std::vector<sql::answer>&& all) override;
    void notified(std::string_view) override {}
    void lost(errc why, const std::string& text) override;
    void expired(time::instant now) noexcept override;

    turn::turns& turns_;
    const dialect& speaks_;
    table_listener& told_;
    const core::nanoseconds patience_;
    const std::string holder_label_;
    std::optional<std::string> label_; ///< the same, as the server takes it; nothing where it has no room
    session line_;
    failover_guard guard_;
    std::unique_ptr<handshake> handshake_;
    std::optional<server> before_; ///< of the connection that was lost
    server server_;
    std::vector<std::string> missing_rights_;
    statements next_; ///< of a handshake that pauses
    std::array<requests, request::kinds> waiting_;
    requests unsent_;                      ///< that are answered in this turn
    std::optional<session_ledger> ledger_; ///< where a lock is one of the session
    left_rows left_;
    unconfirmed_releases unconfirmed_;
    batch under_way_;
    core::instant sent_at_{};
    turn::live_list<inquiry> inquiries_; ///< that wait
    std::deque<inquiry*> asked_;         ///< that were sent
    std::deque<awaited> awaited_;        ///< one for each transaction without an answer
    bool purge_is_due_ = false;
    unsigned purges_to_come_ = 0;
    errc why_ = errc::node_unavailable; ///< it does not serve
    bool locks_under_way_ = false;
    bool asks_rest_ = false;      ///< what is under way, of what was sent before
    bool frees_ = false;          ///< what is under way
    bool somebody_waits_ = false; ///< for what was freed last
    bool was_closed_ = false;     ///< the guard, when it began to serve
    std::uint64_t commands_ = 0;
    std::uint64_t timeouts_ = 0;
    std::uint64_t quarantines_ = 0;
    core::nanoseconds round_trip_{};
};

} // namespace redlock::sql
