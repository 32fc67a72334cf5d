#pragma once

#include "core/instant.hpp"
#include "engine/renewal.hpp"

#include <redlock/error.hpp>

#include <optional>

namespace redlock::pair {

/// The two engines, in the order in which keys are asked for; they are given back in the reverse one.
enum class place : std::uint8_t { first, second };

/// What becomes of a lease that two engines are asked about: it is gone as soon as either says so, confirmed
/// when both have, and nobody knows otherwise.
class joint_outcome {
public:
    /// What one of them says, once each.
    void answered(place of, engine::outcome said, core::instant sent_at, errc why) noexcept;

    /// Nothing while that is open. It never changes afterwards.
    std::optional<engine::outcome> decided() const noexcept;
    /// When the key's life began on both, of a confirmed one.
    core::instant sent_at() const noexcept { return sent_at_; }
    /// Why it is inconclusive, and who it was that did not tell.
    errc why() const noexcept { return why_; }
    place in_doubt() const noexcept { return in_doubt_; }

private:
    core::instant sent_at_ = core::instant::max();
    errc why_{};
    place in_doubt_ = place::first;
    unsigned answers_ = 0;
    unsigned confirmed_ = 0;
    bool is_gone_ = false;
};

/// How a release came out, of which the two parts came out like that: 0, `lease_lost` or `no_quorum`.
constexpr errc joint_release(errc one, errc other) noexcept {
    if (one == errc::lease_lost || other == errc::lease_lost) return errc::lease_lost;
    return one != errc{} ? one : other;
}

} // namespace redlock::pair
