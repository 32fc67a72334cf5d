#pragma once

#include "engines/sql/inquiries.hpp"
#include "engines/sql/session/table_session.hpp"
#include "engines/sql/wakes.hpp"
#include "time/timer_queue.hpp"

#include <string>
#include <vector>

namespace redlock::mariadb {

/// Looks for those who wait whether their keys are free: nobody tells of a release in these databases. All
/// waiters of a client are in one question, every 50 to 100 ms. On the strand.
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
    void look_soon() noexcept;
    void look();
    void take(const sql::answer* a);
    void tell(bool is_told) noexcept;
    void expired(time::instant now) noexcept override;

    turn::turns& turns_;
    sql::table_session& table_;
    sql::wake_waiters waiters_;
    sql::question_inquiry* inquiry_ = nullptr; ///< that is under way
    std::vector<std::string> asked_;           ///< the keys that it asks for
    bool serves_ = false;
};

} // namespace redlock::mariadb
