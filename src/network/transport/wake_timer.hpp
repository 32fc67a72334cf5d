#pragma once

#include "time/instant.hpp"

#include <boost/system/error_code.hpp>

#include <functional>
#include <utility>

namespace redlock::network {

/// One wake-up call at an instant of the lease clock. It is armed lazily: as long as it is armed for an
/// earlier instant it is left alone, and whoever is woken too early arms it again. That makes one operation
/// per timeout out of one per command.
class wake_timer {
public:
    using handler = std::function<void(boost::system::error_code)>;

    wake_timer() = default;
    wake_timer(const wake_timer&) = delete;
    wake_timer& operator=(const wake_timer&) = delete;
    virtual ~wake_timer() = default;

    /// The instant it is armed for; `instant::max()` when it is not armed. The reference stays good, and
    /// shows what it is armed for later.
    const time::instant& armed_for() const noexcept { return armed_for_; }

    /// Wakes at `at` instead of whatever it was armed for; the handler of that gets `operation_aborted`.
    /// Handlers run on the strand. One that runs without an error calls `fired` first.
    void arm(time::instant at, time::instant now, handler woken) {
        armed_for_ = at;
        wait(at, now, std::move(woken));
    }

    void fired() noexcept { armed_for_ = time::instant::max(); }

    void cancel() {
        abort();
        armed_for_ = time::instant::max();
    }

private:
    virtual void wait(time::instant at, time::instant now, handler woken) = 0;
    virtual void abort() = 0;

    time::instant armed_for_ = time::instant::max();
};

} // namespace redlock::network
