#pragma once

#include "core/instant.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace redlock::core {

/// What is known of strangers at a key that is handed on: of others who want it, stand in no queue and try
/// from time to time. It goes with the key from one holder to the next.
struct stranger_sight {
    nanoseconds door{};      ///< for how long the key is to be free next; zero when none was seen
    nanoseconds unseen{};    ///< since one was seen
    nanoseconds shut{};      ///< since the key was free
    std::uint32_t turns = 0; ///< hand-overs since then

    bool operator==(const stranger_sight&) const = default;
};

/// When a key that is handed on is to be free for strangers, and for how long, once one was seen
/// (docs/handover.md).
///
/// A door that nobody used was too short, and the next is twice as long; one that was used was long enough.
class open_door {
public:
    static constexpr nanoseconds first = std::chrono::milliseconds(2);
    static constexpr nanoseconds longest = std::chrono::milliseconds(8);
    /// The key is kept free for one part of so many of the time at most,
    static constexpr int parts = 8;
    /// for no longer than so many turns take,
    static constexpr int longest_in_turns = 8;
    /// and no more often than once in so many.
    static constexpr std::uint32_t fewest_turns = 4;
    /// Later doors are shorter and shorter,
    static constexpr nanoseconds freshness = std::chrono::milliseconds(500);
    /// and in the end there are none.
    static constexpr nanoseconds shortest = std::chrono::milliseconds(1);

    /// One who stands in no queue has come to a node, and perhaps not to enough of them.
    void seen(nanoseconds round_trip, instant now) noexcept;
    /// It has the key.
    void used(nanoseconds round_trip, instant now) noexcept;
    /// By the node where the door is open: what is known if nobody uses it.
    void told_of_door(const stranger_sight& s, instant now) noexcept;
    /// With the key, by whoever had it before.
    void handed(const stranger_sight& s, instant now) noexcept;
    /// With the key, which was free.
    void shut(const stranger_sight& s, instant now) noexcept;
    /// The key was free, and nothing was told with it.
    void found_free(instant now) noexcept;

    /// Whether strangers were seen, not too long ago.
    bool is_known(instant now) const noexcept { return faded(door_, now) > nanoseconds::zero(); }
    /// When the key is to be given back now: for how long it is to be free, zero when it is not to be.
    nanoseconds opens_for(instant now) const noexcept;
    /// To be told with the key.
    stranger_sight sight(instant now) const noexcept;
    /// To be told with a door that is opened for so long.
    stranger_sight sight_behind(nanoseconds door, instant now) const noexcept;

private:
    void take(const stranger_sight& s, instant now) noexcept;
    nanoseconds faded(nanoseconds door, instant now) const noexcept;

    nanoseconds door_{};
    instant seen_at_{};
    instant shut_at_{};
    std::uint32_t turns_ = 0;
    bool is_guess_ = false; ///< it is as long as it is to be if nobody came through the one before
    bool came_ = false;     ///< somebody did
};

/// That of each key at which strangers were seen. Of a fixed size: where two keys fall on the same place the
/// older is forgotten.
class open_doors {
public:
    /// Null where none were seen.
    open_door* find(std::string_view key) const noexcept;
    open_door& at(std::string_view key);

private:
    struct place {
        std::uint64_t key = 0;
        open_door door;
    };
    static constexpr std::size_t size = 256;

    std::unique_ptr<std::array<place, size>> places_; ///< null until a stranger was seen
};

} // namespace redlock::core
