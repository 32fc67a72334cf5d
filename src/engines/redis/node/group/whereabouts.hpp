#pragma once

#include "engines/redis/node/address.hpp"
#include "time/instant.hpp"

#include <redlock/error.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace redlock::node {

/// The master of a group, as its Sentinels see it.
struct master_place {
    endpoint at;
    time::instant since; ///< it has been one at the latest, by what they remember
};

/// Told that a group has another master, or none for the moment.
class master_follower {
public:
    virtual void master_changed() = 0;

protected:
    ~master_follower() = default;
};

/// Where the master of a group is. All members are called on one strand.
class whereabouts {
public:
    virtual ~whereabouts() = default;

    /// Nothing while too few Sentinels agree.
    virtual const std::optional<master_place>& master() const noexcept = 0;
    /// Why there is none, in words that continue a sentence beginning with the node's name.
    virtual std::string problem() const = 0;
    /// As a code: that of the Sentinels when none of them can be reached for one and the same reason.
    virtual errc failure() const = 0;
    /// For so long at the most a server goes on being taken for the master that is none any more.
    virtual std::chrono::nanoseconds belief() const noexcept = 0;

    /// Until it is forgotten.
    virtual void add(master_follower& told) = 0;
    virtual void forget(master_follower& told) noexcept = 0;
};

} // namespace redlock::node
