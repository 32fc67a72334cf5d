#pragma once

#include "engines/sql/inquiries.hpp"
#include "engines/sql/mariadb/look_pace.hpp"
#include "engines/sql/session/table_session.hpp"
#include "engines/sql/wakes.hpp"
#include "time/timer_queue.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace redlock::mariadb {

/// Looks for those who wait whether their keys are free: nobody tells of a release in these databases. What a
/// client is to look for at about the same time is one question. On the strand.
class lookout final : public sql::wakes, private time::timer {
public:
    lookout(turn::turns& t, sql::table_session& table) : turns_(t), table_(table) {}
    ~lookout() override { stop(); }

    void table_serves(const sql::server& found) override;
    void table_lost() override;
    watched watch(sql::wake_waiter& w) override;
    void after_routines() override {}
    void stop() noexcept override;
    void leave() noexcept override {}

private:
    struct awaited {
        look_pace pace;
        time::instant next;
    };

    awaited& sight_of(std::string_view key);
    void look_soon();
    void look_at(time::instant when);
    void look();
    void take(const sql::answer* a);
    void forget_others();
    void tell(bool is_told) noexcept;
    void expired(time::instant now) noexcept override;

    turn::turns& turns_;
    sql::table_session& table_;
    sql::wake_waiters waiters_;
    std::unordered_map<std::string, awaited> awaited_; ///< keys that somebody waits for, or did
    sql::question_inquiry* inquiry_ = nullptr;         ///< that is under way
    std::vector<std::string> asked_;                   ///< the keys that it asks for
    time::instant asked_at_{};
    time::instant next_look_ = time::instant::max();
    time::instant not_before_{}; ///< the next
    bool serves_ = false;
};

} // namespace redlock::mariadb
