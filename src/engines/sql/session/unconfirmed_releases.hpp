#pragma once

#include "core/instant.hpp"
#include "engines/sql/claim.hpp"
#include "engines/sql/session/batch.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace redlock::sql {

/// Releases whose commits did not wait for the disk of the database. A crash may take them back until a later
/// commit that did wait is confirmed, for that stands behind them in the log: they are carried out once more
/// then. Does no I/O.
class unconfirmed_releases {
public:
    static constexpr std::size_t most = batch::most;
    struct entry {
        claim_pointer of;
        core::instant keys_end; ///< then the key ends by itself
    };

    /// Otherwise their commit has to wait.
    bool has_room_for(std::size_t more) const noexcept { return all_.size() + more <= most; }
    void add(claim_pointer of, core::instant keys_end) { all_.push_back({std::move(of), keys_end}); }
    /// A commit that was sent behind them has waited.
    void confirmed() noexcept { all_.clear(); }
    /// The connection is lost, and the database may have crashed.
    std::vector<entry> take() noexcept { return std::exchange(all_, {}); }

private:
    std::vector<entry> all_;
};

} // namespace redlock::sql
