#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "core/random.hpp"

#include <redlock/error.hpp>

#include <chrono>
#include <cstdint>

namespace redlock::etcd {

/// What etcd said to a place that asked for the key, or whether it is the first.
struct verdict {
    enum class kind : std::uint8_t {
        first,      ///< nobody is in front of it: the key is its own
        behind,     ///< of somebody else's place, that of `predecessor`
        held,       ///< somebody has the key, and no place was taken
        displaced,  ///< its place is not there any more
        lease_gone, ///< nothing was written: the server does not know the lease
        failed,     ///< nothing was written: `why`
        unknown     ///< nobody knows whether it was: `why`
    };
    kind what;
    std::int64_t predecessor = 0; ///< the revision that made its key
    errc why{};
};

/// One caller's place in the queue for a key, which is made of the revisions that made the keys of those who
/// want it: it is told events and the time, and says what to do. A place that is not the first watches the
/// one in front of it, and looks once more when the watch has begun, so that nothing happens in between; when
/// that is gone it asks again whether it is the first, for its own may be gone by then, too.
class place {
public:
    enum class action : std::uint8_t {
        get_lease, ///< see to a lease of the server
        ask,       ///< for the key, with a try of its own
        watch,     ///< the predecessor
        confirm,   ///< ask whether it is the first
        refresh,   ///< have the lease live for longer
        take,      ///< the key is its own
        wait,      ///< until then, or until something is heard
        end,       ///< without the key
        go_on      ///< with what it does
    };
    /// What the try that is over may have left.
    enum class remains : std::uint8_t {
        nothing,
        key,    ///< to be deleted
        unknown ///< perhaps later: to be made void
    };
    struct step {
        action what;
        core::instant until = core::instant::max();
        errc why{};                        ///< of an end
        remains behind = remains::nothing; ///< of an end, or of a try that another follows
    };

    /// `wait_until` is of no matter to one that does not wait.
    place(bool waits, core::instant wait_until) noexcept : waits_(waits), wait_until_(wait_until) {}

    step start() noexcept;
    /// There is a lease of the server to take a place under, or `why` there is none.
    step has_lease() noexcept;
    step no_lease(errc why, core::instant now, core::random& draws) noexcept;
    /// There is room to ask for what it wanted to ask for.
    step let_in(core::instant now, core::random& draws) noexcept;
    /// There was none before it could wait no longer.
    step not_let_in() noexcept { return end(errc::wait_timeout, left_behind()); }
    /// To what it asked for. `lives_enough`: as the lease of the server lives now, the grant is good for most
    /// of its life.
    step answered(const verdict& v, bool lives_enough, core::instant now, core::random& draws) noexcept;
    /// The watch of the predecessor has begun, also once more.
    step watching() noexcept;
    /// The key of the predecessor is gone.
    step predecessor_gone() noexcept;
    /// The lease of the server was kept alive, or may not be.
    step refreshed(bool done, core::instant now, core::random& draws) noexcept;
    /// The lease of the server is lost, and with it the place.
    step lease_lost() noexcept;
    /// The time of a wait has come.
    step time_passed(core::instant now) noexcept;
    /// The grant was of no use any more.
    step came_too_late(core::instant now) noexcept;

    bool asks() const noexcept { return phase_ == phase::asking || phase_ == phase::confirming; }
    bool refreshes() const noexcept { return phase_ == phase::refreshing; }
    bool has_waited() const noexcept { return has_waited_; }
    /// What is there of the try now. Of one that asks, once it was answered.
    remains left_behind() const noexcept { return has_place_ ? remains::key : remains::nothing; }

private:
    enum class phase : std::uint8_t {
        leasing,
        asking,
        arranging, ///< the watch
        confirming,
        waiting, ///< for the predecessor to go
        refreshing,
        pausing,    ///< before the next try
        hesitating, ///< before it asks again whether it is the first
        over
    };

    step lease() noexcept;
    step confirm() noexcept;
    step wait(core::instant now) noexcept;
    step end(errc why, remains behind) noexcept;
    step first(bool lives_enough, core::instant now) noexcept;
    step behind(std::int64_t predecessor, core::instant now) noexcept;
    step displaced(core::instant now, core::random& draws) noexcept;
    step failed(errc why, remains behind, core::instant now, core::random& draws) noexcept;
    bool may_go_on(core::instant now) const noexcept { return waits_ && now < wait_until_; }

    const bool waits_;
    const core::instant wait_until_;
    core::backoff pauses_{std::chrono::milliseconds(100), std::chrono::seconds(1)};
    phase phase_ = phase::leasing;
    std::int64_t predecessor_ = 0; ///< whose watch was asked for
    bool is_watching_ = false;
    bool has_place_ = false;
    bool heard_ = false; ///< while it asked
    bool lost_ = false;  ///< likewise
    bool has_waited_ = false;
    unsigned lost_leases_ = 0; ///< in a row
    unsigned refreshes_ = 0;   ///< likewise
};

} // namespace redlock::etcd
