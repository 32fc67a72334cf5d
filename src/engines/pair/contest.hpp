#pragma once

#include "engine/engine.hpp"
#include "engines/pair/claim.hpp"
#include "engines/pair/joint_acquisition.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"
#include "turn/operation.hpp"

#include <redlock/detail/pool.hpp>

#include <optional>

namespace redlock::pair {

class pair_engine;

/// One caller that wants a key of both engines: carries out what `joint_acquisition` decides. Owns itself
/// until it is over.
class contest final : public engine::contest,
                      public turn::list_hook,
                      public detail::pooled,
                      private turn::operation,
                      private engine::contest_listener,
                      private time::timer {
public:
    contest(pair_engine& by, engine::wish&& w, engine::contest_listener& listener);

    void start() override;
    void cancel(errc why) noexcept override;

    /// What the first engine has granted, while the second is asked; null before.
    const engine::claim* held_at_first() const noexcept { return first_ ? first_->claim.get() : nullptr; }
    /// That may be gone.
    void first_in_doubt() noexcept;

private:
    friend class pair_engine;
    ~contest();

    enum event : unsigned { time_has_passed = 1, ends = 2 };
    using step = joint_acquisition::step;

    void perform(const step& s, const engine::failure* more = nullptr);
    void ask(engine::engine& whom, engine::wish&& wanted);
    void ask_first();
    void ask_second(core::instant until);
    void withdraw(errc why) noexcept;
    void give_back_first();
    void begin_anew();
    void over() noexcept;

    void others_have_it(const engine::claim& wanted) noexcept override;
    bool takes(engine::grant&& given) noexcept override;
    bool takes_second(engine::grant&& given);
    void not_granted(errc why, const engine::failure* more) noexcept override;
    void contest_over() noexcept override;
    void events_came() override;
    void expired(time::instant) noexcept override { raise(time_has_passed); }

    pair_engine& engine_;
    engine::contest_listener& listener_;
    engine::wish wish_;
    claim_pointer claim_; ///< of this try
    joint_acquisition rule_;
    engine::contest* inner_ = nullptr; ///< with one of the engines
    std::optional<engine::grant> first_;
    bool waited_at_first_ = false;
    std::optional<step> next_; ///< when the contest with one of the engines is over
    bool is_told_ = false;     ///< how it came out
    errc why_ended_{};
};

} // namespace redlock::pair
