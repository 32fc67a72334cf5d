#pragma once

#include "core/backoff.hpp"
#include "engines/sql/session/link.hpp"
#include "network/name_lookups.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <redlock/config.hpp>
#include <redlock/error.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

class dialect;

/// What a session needs to know of its client.
struct session_settings {
    core::nanoseconds patience; ///< for one answer, and for each step of connecting
    std::string client_name;    ///< `application_name`, unless the address has one
    std::function<redlock::credentials(std::string_view node)> log_in_as{};
};

/// Told how a session goes. In a turn.
class session_listener {
public:
    /// There is a connection, and nothing was sent over it. `is_ready`, `refuse` or `retry` follows at last.
    virtual void connected() = 0;
    /// Of one transaction, as in `link_listener`.
    virtual void answered(std::vector<answer>&& all) = 0;
    virtual void notified(std::string_view payload) = 0;
    /// The connection has ended, or could not be made: a sentence that continues the name of the database.
    virtual void lost(errc why, const std::string& text) = 0;

protected:
    ~session_listener() = default;
};

/// Keeps a connection to the database: to the first of its places that is fit, made anew behind waits that
/// grow when it has ended. An answer that takes longer than the patience ends it, too: what is asked then
/// begins with ending what the server does for the connection before. On the strand.
class session final : private link_listener, private time::timer {
public:
    session(const strand& on, turn::turns& t, const dialect& to, const session_settings& s,
            session_listener& told);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session();

    // In a turn.
    void start();
    /// Whoever connected is content: waits after a loss begin short again.
    void is_ready() noexcept;
    /// This place is not fit, the next is tried: `lost` has been, or is not, told by the caller.
    void refuse(errc why, std::string text);
    /// Ends without a word.
    void stop() noexcept;
    /// In a forked child, from anywhere: likewise.
    void leave() noexcept;

    /// One transaction, also outside of a turn. Over a connection that has ended nothing is sent.
    void send(const statements& all) noexcept;
    /// In a turn in which something is, or will be, waited for: no longer than the patience.
    void expect_answer();
    bool is_connected() const noexcept { return link_ != nullptr && connected_; }
    bool is_serving() const noexcept { return serving_; }
    /// Nothing has failed since it began, or was last connected.
    bool may_soon_serve() const noexcept { return started_ && !failed_; }
    bool awaits_answer() const noexcept { return link_ && link_->unanswered() > 0; }
    std::uint64_t connects() const noexcept { return connects_; }

private:
    using lookup = std::shared_ptr<network::name_lookups::waiter>;

    void begin_attempt();
    void resolve(const address::place& at);
    void connect(const address::place& at, const std::string& numeric);
    void lose(errc why, const std::string& text);
    void drop() noexcept;

    void connected() override;
    void answered(std::vector<answer>&& all) override;
    void notified(std::string_view payload) override { told_.notified(payload); }
    void broken(std::string_view why, bool refused_login) override;
    void expired(time::instant now) noexcept override;

    std::optional<strand> strand_; ///< nothing once it has stopped for good
    turn::turns& turns_;
    const dialect& speaks_;
    const address& to_;
    const session_settings& settings_;
    session_listener& told_;
    core::backoff waits_;
    std::shared_ptr<link> link_;
    lookup resolving_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true); ///< for a look-up that ends later
    std::size_t place_ = 0;
    std::size_t attempt_ = 0;
    std::uint64_t connects_ = 0;
    bool started_ = false;
    bool connected_ = false;
    bool serving_ = false;
    bool failed_ = false;
    bool resting_ = false; ///< until the next attempt
};

} // namespace redlock::sql
