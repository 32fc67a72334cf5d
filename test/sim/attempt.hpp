#pragma once

#include "lease/acquire/acquire.hpp"
#include "lease/held_lease.hpp"
#include "sim/checker.hpp"
#include "turn/inbox.hpp"

#include <redlock/lock_options.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace redlock::sim {

class process;
class attempt;

/// Told how an attempt came out.
class attempt_listener {
public:
    virtual void attempt_granted(detail::lease_pointer held) = 0;
    virtual void attempt_failed() = 0;
    /// After one of the two: it may be destroyed.
    virtual void attempt_over(attempt& a) = 0;

protected:
    ~attempt_listener() = default;
};

/// One call for a lock: what lock_call.cpp makes of `client::async_lock`, without the handler.
class attempt final : private lock::acquire_listener, private turn::inbox_item {
public:
    attempt(process& in, attempt_listener& listener, std::string key, const lock_options& options,
            std::stop_source stop);

    checker::operation operation() const noexcept { return operation_; }
    void start();
    void cancel();

private:
    void arrive() noexcept override;
    void discard() noexcept override {}
    void granted(detail::lease_pointer held) noexcept override;
    void not_granted(errc why, const redlock::engine::failure* more) noexcept override;
    void acquire_over() noexcept override;

    process& process_;
    attempt_listener& listener_;
    const std::string key_;
    const lock_options options_;
    std::stop_source stop_;
    const time::instant began_at_; ///< by the clock of the process
    const checker::operation operation_;
    std::optional<lock::acquire> acquire_;
};

} // namespace redlock::sim
