#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "time/instant.hpp"

#include <memory>
#include <vector>

namespace redlock::redis {

/// A key that may have stayed behind on a node that could not be told to delete it.
struct debt {
    std::shared_ptr<const claim> owed;
    time::instant until; ///< when the key has run out there by itself
    bool written; ///< the release is under way on the connection that stands, behind what it is to undo
};

/// What is still to be released on one node as soon as it takes commands again. Bounded: a debt is gone when
/// its key has run out, and beyond `limit` the oldest ones are left to their ttl.
class debts {
public:
    static constexpr std::size_t limit = 65'536;

    void add(debt d, time::instant now);

    /// Takes out what must be sent again. On the connection that the debts were made on, what was written
    /// will be executed if the connection lasts, so it stays owed; on a new one nothing is certain.
    std::vector<debt> take(bool new_connection, time::instant now);

    std::size_t size() const noexcept { return open_.size(); }

private:
    void forget_expired(time::instant now);

    std::vector<debt> open_;
    std::size_t worth_sweeping_ = 64; ///< number of debts from which looking for expired ones pays
};

} // namespace redlock::redis
