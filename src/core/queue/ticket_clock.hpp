#pragma once

#include "core/quorum/fence_rule.hpp"

#include <cstdint>

namespace redlock::core {

/// Gives out tickets, by which those who wait for a key are served: the wall clock in microseconds, ahead of
/// it by as much as the tickets of other clients were seen to be, and each higher than the one before. By its
/// own clock alone a client whose clock is two seconds behind would always be first. Who is served when
/// depends on it, never who may hold a key.
class ticket_clock {
public:
    using wall_time = fence_clock::wall_time;

    std::uint64_t next(wall_time now) noexcept;
    /// Another client had this one by then.
    void saw(std::uint64_t ticket, wall_time now) noexcept { clock_.saw(ticket, now); }

private:
    fence_clock clock_;
    std::uint64_t last_ = 0;
};

} // namespace redlock::core
