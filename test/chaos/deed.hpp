#pragma once

#include <cstddef>

namespace redlock::chaos {

/// What a client does, counted when it has come about.
enum class deed : std::size_t {
    lock,
    enter,
    lock_several,
    take_permit,
    read,
    write,
    downgrade,
    keep,
    lead,
    proclaim,
    observe
};

/// What clients did then, and what there must be so that they can.
struct deed_name {
    const char* words;
    bool needs_reads = false;
    bool needs_leads = false;
};

/// In the order of `deed`.
inline constexpr deed_name deed_names[]{
    {"had a lock"},
    {"had a lock twice as an owner"},
    {"had a set"},
    {"had a permit"},
    {.words = "had a lock for reading", .needs_reads = true},
    {.words = "had a lock for writing", .needs_reads = true},
    {.words = "made a lock for writing one for reading", .needs_reads = true},
    {"kept a key behind the unlock"},
    {.words = "led", .needs_leads = true},
    {.words = "proclaimed a value", .needs_leads = true},
    {.words = "were told of a leader", .needs_leads = true},
};
inline constexpr std::size_t deed_count = sizeof deed_names / sizeof *deed_names;
static_assert(deed_count == static_cast<std::size_t>(deed::observe) + 1);

} // namespace redlock::chaos
