#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace redlock::redis {

class quorum;
class release;

/// Releases that wait for the end of the turn, for others to go with them: a command for several keys costs a
/// server less than one for each of them.
class pending_releases {
public:
    explicit pending_releases(quorum& q) noexcept : quorum_(q) {}

    /// One that `joint_release_command` takes, on all nodes, of a key that no command of this turn is about.
    void add(release& r);
    bool empty() const noexcept { return waiting_.empty(); }
    /// Somebody is about to ask the nodes for this key: what was to come before that goes now.
    void before(std::string_view full_key) {
        if (!empty() && keys_.test(place_of(full_key))) send();
    }
    /// In a turn.
    void send();
    /// The releases are gone.
    void clear() noexcept { waiting_.clear(); }

private:
    static constexpr std::size_t places = 1024;
    static std::size_t place_of(std::string_view full_key) noexcept {
        return std::hash<std::string_view>()(full_key) % places;
    }

    quorum& quorum_;
    std::vector<release*> waiting_;
    std::bitset<places> keys_; ///< where one of them has this place, perhaps it is the one
};

} // namespace redlock::redis
