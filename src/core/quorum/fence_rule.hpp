#pragma once

#include <chrono>
#include <cstdint>

namespace redlock::core {

/// No node counts beyond it: the scripts there count in doubles. A higher number comes from no honest node.
inline constexpr std::uint64_t highest_fence = std::uint64_t{1} << 53;

/// Finds the fencing token of one grant. Every node has a fence for the key, a number that only ever grows,
/// and answers with the value that *this* grant has just raised it to. A vote counts only for that very
/// value: each value is reached once on a node, and two majorities share a node, so no two grants share a
/// token (docs/fencing.md).
class fence_rule {
public:
    enum class standing : std::uint8_t {
        agrees, ///< the node was raised to the token
        lags,   ///< to less: its vote counts once it was raised to the token
        raises  ///< to more, which is the token from now on: the nodes that agreed so far lag
    };

    /// Forgets the token.
    void restart() noexcept { token_ = 0; }

    standing raised_to(std::uint64_t fence) noexcept {
        if (fence == token_) return standing::agrees;
        if (fence < token_) return standing::lags;
        token_ = fence;
        return standing::raises;
    }

    /// 0 before the first answer.
    std::uint64_t token() const noexcept { return token_; }

private:
    std::uint64_t token_ = 0;
};

/// Proposes tokens: the wall clock in microseconds, so that they go on growing after nodes have lost their
/// data, and ahead of it when other clients turn out to be. Whether the proposals are any good decides about
/// round trips, never about safety.
class fence_clock {
public:
    using wall_time = std::chrono::system_clock::time_point;

    /// From 1 to 2^52: the scripts on the nodes count in doubles, and must have room to count on from there.
    std::uint64_t propose(wall_time now) const noexcept;
    /// A node had this fence by then, or this token was given out.
    void saw(std::uint64_t token, wall_time now) noexcept;

private:
    std::uint64_t lead_ = 0;
};

} // namespace redlock::core
