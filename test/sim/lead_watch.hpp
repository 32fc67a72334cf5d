#pragma once

#include "sim/checker.hpp"
#include "sim/event_queue.hpp"
#include "sim/weather.hpp"

#include <redlock/leader_info.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace redlock::sim {

/// Knows what leaders have proclaimed, and looks at what observers are told of them.
class lead_watch {
public:
    lead_watch(const event_queue& events, const weather& w, checker& c) noexcept
        : events_(events), weather_(w), checker_(c) {}

    /// The value that whoever campaigns by this operation proclaims now, as the first, the second and so on.
    std::string proclaims(checker::operation by, unsigned number);
    /// It leads in that term.
    void leads(checker::operation by, std::uint64_t term);
    /// It leads no more, and campaigns no more.
    void ended(checker::operation by) { campaigns_[by].ended_at = events_.now(); }
    /// An observer that knew `known`, and has run for so long, was told this.
    void told(std::uint32_t client, const leader_mark& known, const leader_info& info, nanoseconds for_long);

private:
    struct campaign {
        unsigned values = 0; ///< so many were proclaimed
        std::optional<nanoseconds> ended_at{};
    };
    /// What stands behind a value.
    struct author {
        checker::operation by = 0;
        unsigned number = 0;
    };

    std::optional<author> author_of(const std::string& value) const;
    void look_at_term(std::uint64_t term, checker::operation by);

    const event_queue& events_;
    const weather& weather_;
    checker& checker_;
    std::map<checker::operation, campaign> campaigns_;
    std::map<std::uint64_t, checker::operation> terms_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> values_; ///< by term and version
};

} // namespace redlock::sim
