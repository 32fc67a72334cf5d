#pragma once

#include "core/instant.hpp"

#include <cstdint>
#include <optional>

namespace redlock::sql {

/// What a database says of itself to a client that has just connected.
struct server_facts {
    std::int64_t timeline = 0;       ///< rises with every promotion of a standby
    bool first_timeline = true;      ///< that locks were ever on in this database, as far as it knows
    core::nanoseconds on_timeline{}; ///< for so long at most, at least since then
    core::nanoseconds uptime{};      ///< of the server
    bool keeps_commits = true;       ///< what it has acknowledged is there after a crash
};

/// Keeps locks from being granted where a database may have forgotten some: after a standby was promoted,
/// which may lack what was granted last, and after a start of a server that acknowledges commits before they
/// are kept. All locks of before have ended when the guard time, the longest of their lives, is over.
class failover_guard {
public:
    /// 0 turns it off.
    explicit failover_guard(core::nanoseconds longest_life) noexcept : guard_(longest_life) {}

    /// The client has connected. Whether what it holds is to be looked at again.
    bool connected(const server_facts& f, core::instant now) noexcept;
    /// No key is granted before.
    core::instant closed_until() const noexcept { return closed_until_; }
    bool is_closed(core::instant now) const noexcept { return now < closed_until_; }
    std::optional<std::int64_t> timeline() const noexcept { return timeline_; }

private:
    void close_for(core::nanoseconds time, core::instant now) noexcept;

    const core::nanoseconds guard_;
    core::instant closed_until_ = core::instant::min();
    std::optional<std::int64_t> timeline_; ///< that it saw last
};

} // namespace redlock::sql
