#pragma once

#include "engines/sql/session/session.hpp"
#include "engines/sql/wake_bucket.hpp"
#include "engines/sql/wakes.hpp"
#include "time/timer_queue.hpp"
#include "turn/turns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::postgresql {

/// The session that is told of releases. It has a shared advisory lock for each group of keys that somebody
/// of this client waits for: by that, whoever releases one sees that it is to tell. It is made when it is
/// first needed. On the strand.
class wake_session final : public sql::wakes, private sql::session_listener, private time::timer {
public:
    wake_session(const sql::strand& on, turn::turns& t, const sql::dialect& to,
                 const sql::session_settings& s);

    void table_serves(const sql::server& found) override;
    /// It has a connection of its own, which may be there all the same.
    void table_lost() override {}
    watched watch(sql::wake_waiter& w) override;
    void after_routines() override;
    void stop() noexcept override;
    void leave() noexcept override { line_.leave(); }

private:
    enum class state : std::uint8_t { unheard, asked, heard };
    struct group {
        sql::wake_waiters waiters;
        state is = state::unheard;
        core::instant used{}; ///< last, by somebody who waits
    };

    void settle();
    static void tell(group& g, bool is_told) noexcept;
    void tell_unheard() noexcept;

    void connected() override;
    void answered(std::vector<sql::answer>&& all) override;
    void notified(std::string_view payload) override;
    void lost(errc why, const std::string& text) override;
    void expired(time::instant now) noexcept override;

    turn::turns& turns_;
    sql::session line_;
    std::uint32_t table_ = 0;
    std::array<group, sql::wake_buckets> groups_;
    std::vector<std::size_t> asked_; ///< for these it waits for an answer
    bool unsettled_ = false;
};

} // namespace redlock::postgresql
