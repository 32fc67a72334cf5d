#pragma once

#include "engine/engine.hpp"
#include "lease/counters.hpp"
#include "lease/local_queue.hpp"
#include "lease/owned/owned_locks.hpp"
#include "lease/settings.hpp"
#include "time/process_mark.hpp"
#include "turn/live_list.hpp"
#include "turn/turns.hpp"

#include <redlock/observer.hpp>

#include <deque>
#include <string_view>

namespace redlock::lock {

class acquire;
class call_desk;
class lease_upkeep;

/// What all leases of one client share: the turns they are worked on in, the engine that grants them, the
/// callers that wait, the counts. Turns and engine belong to whoever made this.
class lessee final : private engine::others_listener, private engine::loss_listener, private engine::holders {
public:
    /// `desk` is where calls of users go; null where there are none.
    lessee(lock::settings s, turn::turns& t, engine::engine& e, call_desk* desk = nullptr);
    lessee(const lessee&) = delete;
    lessee& operator=(const lessee&) = delete;
    ~lessee();

    turn::turns& turns() const noexcept { return turns_; }
    engine::engine& engine() const noexcept { return engine_; }
    call_desk& desk() const noexcept { return *desk_; }
    const lock::settings& settings() const noexcept { return settings_; }
    /// See `core::lease_state::next_renewal`.
    core::nanoseconds renewal_phase() const noexcept { return renewal_phase_; }
    redlock::observer* observer() const noexcept { return settings_.observer.get(); }
    time::instant now() const noexcept { return turns_.now(); }
    const time::time_source& clock() const noexcept { return turns_.clock(); }
    local_queues& queues() noexcept { return queues_; }
    owned_locks& owned() noexcept { return owned_; }
    counters& counts() noexcept { return counts_; }
    const counters& counts() const noexcept { return counts_; }

    /// From any thread: this is a copy in a forked child. Whatever is held is its parent's.
    bool is_of_parent() const noexcept { return made_in_.is_of_parent(); }

    /// Passes the lease and the turn to the next caller of this process. False, and the lease is to go back
    /// to the engine, when there is none, when another client has waited for longer or when enough have had
    /// it in a row.
    bool hand_over(local_turn& turn, const handover& lease);

    /// The key stays until then, and is nobody's.
    void keeps(engine::claim_pointer left, time::instant until);

    /// Acquires end with `closed`, leases are told to stop and released. Nothing begins after it.
    void begin_closing();
    bool closing() const noexcept { return closing_; }
    /// Whether no acquire and no lease is left.
    bool quiet() const noexcept;
    bool holds_several() const noexcept;
    /// Drops everything without completing anything, for when the strand will never run again.
    void abandon() noexcept;

    turn::live_list<acquire>& acquires() noexcept { return acquires_; }
    turn::live_list<lease_upkeep>& leases() noexcept { return leases_; }

private:
    void nobody_else_waits(std::string_view full_key) noexcept override {
        queues_.nobody_else_waits(full_key, now());
    }
    const engine::claim* holder_of(std::string_view full_key) const noexcept override {
        return queues_.holder_of(full_key);
    }
    bool has_left(std::string_view full_key,
                  const std::function<bool(const engine::claim&)>& is_it) const override;
    void keys_lost(const std::function<bool(const engine::claim&)>& is_lost) noexcept override;
    void keys_in_doubt() noexcept override;

    const time::process_mark made_in_;
    const lock::settings settings_;
    turn::turns& turns_;
    const core::nanoseconds renewal_phase_ =
        turns_.random().between(core::nanoseconds::zero(), std::chrono::seconds(1));
    engine::engine& engine_;
    call_desk* const desk_;
    local_queues queues_;
    owned_locks owned_;
    counters counts_;
    struct kept_key {
        engine::claim_pointer left;
        time::instant until;
    };
    std::deque<kept_key> kept_; ///< oldest first
    bool closing_ = false;
    turn::live_list<acquire> acquires_;
    turn::live_list<lease_upkeep> leases_;
};

} // namespace redlock::lock
