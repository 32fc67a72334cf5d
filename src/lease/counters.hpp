#pragma once

#include "core/error_name.hpp"
#include "core/histogram.hpp"
#include "engine/lease_kinds.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace redlock::lock {

/// What `metrics_snapshot` reports of leases; the fields are explained there.
struct counters {
    struct kind {
        std::uint64_t grants = 0;
        std::size_t held = 0;
    };

    std::array<kind, engine::lease_kinds> kinds{};
    std::uint64_t late_grants = 0;
    std::uint64_t renewals = 0;
    std::uint64_t failed_renewals = 0;
    std::uint64_t unlocks = 0;
    std::uint64_t handoffs = 0;
    std::uint64_t lost_by_deadline = 0;
    std::uint64_t lost_by_majority = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t remote_handoffs = 0;
    std::uint64_t reentries = 0;
    std::uint64_t downgrades = 0;
    std::size_t waiting = 0;
    std::array<std::uint64_t, error_count()> refused_calls{}; ///< by the number of the error, less one

    core::histogram time_to_acquire;
    core::histogram wait_time;
    core::histogram hold_time;
    core::histogram stop_margin;
    core::histogram renewal_time;

    kind& of(const engine::claim& c) noexcept { return kinds[static_cast<std::size_t>(kind_of(c))]; }
    std::size_t held() const noexcept {
        std::size_t all = 0;
        for (const kind& k : kinds)
            all += k.held;
        return all;
    }
    void call_refused(errc why) noexcept { ++refused_calls[static_cast<std::size_t>(why) - 1]; }
    /// One that was waiting, without a grant. 0 stands for "cancelled by the caller".
    void call_ended(errc why) noexcept {
        --waiting;
        if (why == errc{})
            ++cancelled;
        else
            call_refused(why);
    }
};

} // namespace redlock::lock
