#pragma once

#include "engine/failure.hpp"
#include "lease/acquire/acquire.hpp"
#include "lease/lessee.hpp"
#include "primitive/permits/permit_key.hpp"
#include "time/timer_queue.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/operations.hpp>
#include <redlock/lock_options.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

namespace redlock::primitive {

/// A call that waits for any permit of a key. Leaves the gate when destroyed.
class gate_waiter : public turn::list_hook {
public:
    virtual void permit_came(detail::lease_pointer held) noexcept = 0;
    /// Others came in that keep nobody out: it leaves the gate, and tries again.
    virtual void try_again() = 0;
    /// No permit can be had. `more` may be null.
    virtual void no_permit(errc why, const engine::failure* more) noexcept = 0;

protected:
    ~gate_waiter() = default;
};

/// The callers of one client that wait for a permit of a key on the same terms, first come, first served. For
/// all of them together one acquire waits at each of the permits, so a process has one place in each queue
/// however many of its callers wait.
class permit_gate final : private time::timer {
public:
    /// Called when nobody waits and nothing is under way any more: the gate may be destroyed.
    class keeper {
    public:
        virtual void gate_is_idle(permit_gate& gate) noexcept = 0;

    protected:
        ~keeper() = default;
    };

    permit_gate(keeper& of, std::shared_ptr<lock::lessee> l, const permit_key& key,
                const lock_options& options);
    permit_gate(const permit_gate&) = delete;
    permit_gate& operator=(const permit_gate&) = delete;
    ~permit_gate();

    const permit_key& key() const noexcept { return key_; }
    const lock_options& options() const noexcept { return options_; }
    bool has_waiters() const noexcept { return !waiting_.empty(); }
    /// Behind all others. A permit may come at once.
    void enter(gate_waiter& w);
    /// It waits no longer.
    void leave(gate_waiter& w) noexcept;

private:
    class contender;

    void contend();
    void permit_came(detail::lease_pointer held) noexcept;
    void contender_failed(errc why, const engine::failure* more) noexcept;
    void end_if_idle() noexcept;
    void expired(time::instant) noexcept override { contend(); }

    keeper& keeper_;
    const std::shared_ptr<lock::lessee> lessee_;
    const permit_key key_;
    lock_options options_;
    turn::live_list<gate_waiter> waiting_;
    std::deque<contender> contenders_; ///< one for each permit
    unsigned busy_ = 0;                ///< calls of this on the stack
};

} // namespace redlock::primitive
