#pragma once

#include "core/entropy.hpp"
#include "core/lock_token.hpp"
#include "engine/engine.hpp"
#include "engines/sql/claim.hpp"
#include "engines/sql/dialect.hpp"
#include "engines/sql/errands.hpp"
#include "engines/sql/session/table_session.hpp"
#include "engines/sql/settings.hpp"
#include "engines/sql/wakes.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/observer.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sql {

namespace seam = redlock::engine;

class contest;

/// Grants keys that are rows of a table of one database, or locks of a session there.
class table_engine final : public seam::engine, private table_listener, private time::timer {
public:
    table_engine(const strand& on, settings s, turn::turns& t);
    ~table_engine() override;

    turn::turns& turns() noexcept { return turns_; }
    turn::live_list<contest>& contests() noexcept { return contests_; }
    table_session& table() noexcept { return table_; }
    sql::wakes& waiting() noexcept { return *wakes_; }
    const sql::dialect& dialect() const noexcept { return *settings_.speaks; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }
    bool serves() const noexcept { return table_.serves(); }
    /// For another try.
    claim_pointer claim_anew(const claim& before);
    /// Nobody wants to know how it comes out.
    void give_back(claim_pointer c, core::instant keys_end, unsigned tries = 3);
    /// Whether a key that has run out by then is still worth giving back.
    bool pays_debts(core::instant keys_end) const noexcept { return !left_ && turns_.now() < keys_end; }
    void count_refusal(bool held) noexcept { ++(held ? refusals_ : failures_); }
    /// Why nothing came of a request that failed.
    std::unique_ptr<database_failure> failure_of(errc why) const;
    /// The same as a sentence.
    std::string sentence_of(errc why) const;
    const std::string& name() const noexcept { return address_.name; }
    /// A lock is one of the session, rather than a row.
    bool locks_are_sessions() const noexcept { return address_.locks_are_sessions; }

    void start() override { table_.start(); }
    seam::claim_pointer claim_key(std::string_view prefix, seam::key_name&& key, bool fencing) override;
    seam::contest& contend(seam::wish&& w, seam::contest_listener& listener) override;
    seam::errand_pointer<> renew(seam::claim_pointer held, std::chrono::milliseconds life,
                                 std::uint64_t fencing_token, seam::renewal_listener& listener) override;
    seam::errand_pointer<> advance_token(const seam::claim_pointer& held,
                                         seam::token_listener& listener) override;
    void release(seam::claim_pointer held, core::instant keys_end, turn::outcome_waiters&& told,
                 bool lost) override;
    /// Who waits for a key stands in no row: it is not known to be nobody.
    void look_for_others(seam::claim_pointer, seam::others_listener&) override {}

    seam::question_pointer check(std::string full_key, std::uint64_t fencing_token,
                                 seam::answer_listener<seam::no_report>& listener) override;
    seam::question_pointer inspect(std::string full_key,
                                   seam::answer_listener<key_report>& listener) override;
    bool lists() const noexcept override { return !locks_are_sessions(); }
    bool keeps_keys() const noexcept override { return !locks_are_sessions(); }
    seam::question_pointer list(std::string beginning, std::size_t most,
                                seam::answer_listener<key_list>& listener) override;
    seam::question_pointer remove(key_report shown, seam::answer_listener<break_report>& listener) override;
    seam::question_pointer examine(seam::answer_listener<std::vector<node_examination>>& listener) override;

    void before_routines() noexcept override {}
    bool send_what_waits(bool) noexcept override { return table_.send_what_waits(); }
    void after_routines() noexcept override;
    bool has_unwritten() const noexcept override { return table_.has_unwritten(); }
    bool is_busy() const noexcept override { return table_.has_several(); }
    void flush() noexcept override { table_.flush(); }
    void begin_closing() noexcept override;
    bool quiet() const noexcept override;
    void stop(std::function<void()> ended) override;
    void leave() noexcept override;
    void fail_all() override;
    void disconnect() noexcept override;
    void abandon() noexcept override;
    void report(metrics_snapshot& to) const override;

private:
    core::lock_token draw_token();
    void tell(bool ready, const std::string& why) noexcept;

    void table_serves(const server& found, bool in_doubt) override;
    void table_lost(errc why, const std::string& text) override;
    void release_in_doubt(claim_pointer of, core::instant keys_end) override;
    void expired(time::instant) noexcept override {} // the turn looks whether it is quiet by now

    std::optional<strand> strand_; ///< nothing once the executor's context is gone
    const settings settings_;
    const address& address_;
    turn::turns& turns_;
    const core::client_name client_;
    turn::live_list<contest> contests_;
    table_session table_;
    const std::unique_ptr<sql::wakes> wakes_;
    core::instant gives_up_at_ = core::instant::max(); ///< while it closes
    bool left_ = false;
    std::optional<bool> told_ready_; ///< to the observer
    errc last_error_{};
    std::string last_text_;
    std::uint64_t refusals_ = 0;
    std::uint64_t failures_ = 0;
    std::uint64_t disconnects_ = 0;
};

} // namespace redlock::sql
