#pragma once

#include "engines/redis/rounds/joint_kinds.hpp"

#include <bitset>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace redlock::redis {

class quorum;

/// Rounds of one kind that wait for the end of the turn, for others to go with them: a command for
/// several keys costs a server less than one for each of them.
template <class Kind>
class pending_rounds {
public:
    using member = typename Kind::member;

    explicit pending_rounds(quorum& q) noexcept : quorum_(q) {}

    /// One that the command for several takes, on all nodes, of a key that no command of this turn is about.
    void add(member& m);
    bool empty() const noexcept { return waiting_.empty(); }
    /// Somebody is about to ask the nodes for this key: what was to come before that goes now.
    void before(std::string_view full_key) {
        if (!empty() && keys_.test(place_of(full_key))) send();
    }
    /// In a turn.
    void send();
    /// They are gone.
    void clear() noexcept { waiting_.clear(); }

private:
    static constexpr std::size_t places = 1024;
    static std::size_t place_of(std::string_view full_key) noexcept {
        return std::hash<std::string_view>()(full_key) % places;
    }

    void send_alike(std::span<member* const> all);

    quorum& quorum_;
    std::vector<member*> waiting_;
    std::bitset<places> keys_; ///< where one of them has this place, perhaps it is the one
};

extern template class pending_rounds<joint_releases>;
extern template class pending_rounds<joint_reads>;
extern template class pending_rounds<joint_renewals>;
extern template class pending_rounds<joint_advances>;

} // namespace redlock::redis
