#pragma once

#include "lease/held_lease.hpp"
#include "sim/attempt.hpp"
#include "sim/checker.hpp"
#include "sim/dice.hpp"
#include "sim/host.hpp"
#include "sim/visit.hpp"

#include <redlock/lock_options.hpp>
#include <redlock/owner.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace redlock::sim {

class process;

/// Somebody who takes locks, one after the other: waits, cancels, holds, prolongs, gives back, as the weather
/// has it.
class user final : private attempt_listener, private visit_listener {
public:
    explicit user(process& in);
    user(const user&) = delete;
    user& operator=(const user&) = delete;

    void start() { pause(); }
    void wind_down();
    bool is_resting() const noexcept {
        return doing_ == activity::nothing && attempts_.empty() && visits_.empty();
    }

private:
    enum class activity { nothing, waiting, holding, giving_back, visiting };

    /// Waits for the answer to a call on a lease.
    class waiter final : public lock::lease_waiter {
    public:
        waiter(user& owner, std::string_view call) : owner_(owner), call_(call) {}
        void begin(checker::operation of);

    private:
        void answered(const boost::system::error_code& outcome) noexcept override;

        user& owner_;
        const std::string_view call_;
        checker::operation of_ = 0;
        bool waits_ = false;
    };

    void pause();
    void begin();
    lock_options draw_options();
    void begin_visits();
    visit::plan draw_visit();
    void hold();
    void stop_requested();
    void extend();
    void give_back();
    void let_go();
    void later(alarm& a, nanoseconds after, void (user::*what)());

    void attempt_granted(detail::lease_pointer held) override;
    void attempt_failed() override { pause(); }
    void attempt_over(attempt& a) override;
    void visit_over(const visit& v) override;

    process& process_;
    dice dice_;
    activity doing_ = activity::nothing;
    std::vector<std::unique_ptr<attempt>> attempts_; ///< the last is the present one
    std::optional<redlock::owner> owner_;
    std::vector<std::shared_ptr<visit>> visits_; ///< several of an owner, else one
    checker::operation operation_ = 0;
    lock_options options_;
    detail::lease_pointer held_;
    std::string key_;   ///< of the last lease that was given back, with its prefix
    std::string token_; ///< that the servers have of it
    std::optional<std::stop_callback<std::function<void()>>> on_stop_;
    waiter unlocking_{*this, "unlock"};
    waiter extending_{*this, "extend"};
    waiter losing_{*this, "wait_lost"};
    alarm next_;
    alarm impatience_;
};

} // namespace redlock::sim
