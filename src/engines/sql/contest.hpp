#pragma once

#include "engine/contest.hpp"
#include "engines/sql/contender.hpp"
#include "engines/sql/session/request.hpp"
#include "engines/sql/wakes.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <optional>
#include <string_view>

namespace redlock::sql {

class contest;
class table_engine;

/// One try of a contest. What it took is given back when the contest is over before it was answered, and what
/// it may have taken is.
class acquire_request final : public request {
public:
    acquire_request(contest& wanted_by, table_engine& by, claim_pointer c, std::chrono::milliseconds for_life)
        : request(kind::acquire, std::move(c), for_life), contest_(&wanted_by), engine_(by) {}
    /// The contest is over.
    void let_go() noexcept;

private:
    void answered(const reply& r) noexcept override;

    contest* contest_;
    table_engine& engine_;
};

/// One caller that wants a key: carries out what the contender decides. Owns itself until it is over.
class contest final : public engine::contest,
                      public turn::list_hook,
                      public detail::pooled,
                      private turn::operation,
                      private wake_waiter,
                      private time::timer {
public:
    contest(table_engine& by, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;

private:
    friend class acquire_request;
    friend class table_engine;
    ~contest();

    enum event : unsigned { answer_came = 1, told = 2, time_has_passed = 4, ends = 8 };
    using step = contender::step;

    void answer(const reply& r) noexcept;
    step next(unsigned events);
    step judge(const reply& r);
    void perform(step s);
    void ask();
    void listen(core::instant until);
    void take_grant();
    void refuse(errc why);
    void over() noexcept;
    void count(const reply& r);

    void events_came() override;
    void listening(bool is_told) noexcept override;
    void may_be_free() noexcept override { raise(told); }
    std::string_view awaited_key() const noexcept override { return claim_->full_key.view(); }
    void expired(time::instant) noexcept override { raise(time_has_passed); }

    table_engine& engine_;
    engine::contest_listener& listener_;
    engine::wish wish_;
    contender contender_;
    claim_pointer claim_; ///< of the try under way, or the first
    acquire_request* request_ = nullptr;
    std::optional<reply> reply_;
    std::optional<bool> is_told_; ///< of releases: as it has heard last, and not acted on yet
    bool first_try_ = true;
    errc failure_{}; ///< of the last try
    errc why_ended_{};
};

} // namespace redlock::sql
