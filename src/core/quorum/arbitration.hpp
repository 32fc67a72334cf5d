#pragma once

#include "core/instant.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace redlock::core {

/// How high a node stands in the order of a key: every client that knows the node under the same name
/// computes the same (rendezvous hashing: Thaler and Ravishankar, "A name-based mapping scheme for
/// rendezvous", 1996). The highest that takes requests is the key's arbiter: of contenders that split the
/// votes the one with the arbiter's goes on, the others give way. Only progress depends on it, never safety.
std::uint64_t arbitration_rank(std::string_view key, std::string_view node) noexcept;

/// Remembers for a while which keys several contenders wanted at once. Of a fixed size: where two keys fall
/// on the same place the older is forgotten, which costs a few commands more.
class contest_memory {
public:
    static constexpr nanoseconds quiet_while = std::chrono::seconds(1);

    /// Somebody else had the key.
    void refused(std::string_view key, instant now);
    /// It was given back while others want it: handed to them, or to be free for a moment.
    void given_back(std::string_view key, bool is_to_be_free, instant now);
    /// A contender that was told that the key is free, or had some of the votes, did not get it.
    void lost_race(std::string_view key, instant now);
    /// A contender got it without having lost a race.
    void won(std::string_view key) noexcept;

    /// Others want the key: who comes newly looks before it tries, so that those who wait are first.
    bool is_contested(std::string_view key, instant now) const noexcept;
    /// It was to be free for a moment when it was given back last. Whoever enters a queue ends that.
    bool was_freed(std::string_view key, instant now) const noexcept;
    /// Several wait for it and run into each other: it is better to ask the arbiter first.
    bool is_crowded(std::string_view key, instant now) const noexcept;

private:
    struct place {
        std::uint64_t key = 0;
        instant until{};
        int races = 0; ///< more of those lost than won lately
        bool was_freed = false;
    };
    static constexpr std::size_t size = 1024;
    static constexpr int crowd = 4;
    static constexpr int most_races = 2 * crowd;

    place& renew(std::string_view key, instant now);
    const place* find(std::string_view key, instant now) const noexcept;

    std::unique_ptr<std::array<place, size>> places_; ///< null until something was contested
};

} // namespace redlock::core
