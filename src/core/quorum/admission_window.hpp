#pragma once

#include "core/instant.hpp"

#include <cstddef>

namespace redlock::core {

/// Something that waits for its place in an admission window. Linked into the window's queue while it waits.
class admission_waiter {
public:
    /// There is a place now, and it is taken: `leave` gives it back.
    virtual void admitted() noexcept = 0;

protected:
    ~admission_waiter() = default;

private:
    friend class admission_window;
    admission_waiter* next_ = nullptr;
    admission_waiter* previous_ = nullptr;
    bool queued_ = false;
};

/// Bounds how many rounds are on the wire at once; the rest wait in order on this side, so that a burst does
/// not push its own commands past their deadlines.
///
/// It closes when rounds take more than half of the time they have, and opens again when they do not: servers
/// that are asked for more than they can do answer late, then too late, and all that they do is in vain from
/// then on (Jacobson, "Congestion Avoidance and Control", 1988).
class admission_window {
public:
    /// `most` rounds at once, each of which must be decided within `time`.
    admission_window(std::size_t most, nanoseconds time) noexcept
        : most_(most), limit_(most), slow_(time / 2) {}
    /// Rounds have this time from now on.
    void set_time(nanoseconds time) noexcept { slow_ = time / 2; }

    bool has_room() const noexcept { return inside_ < limit_ && !first_; }
    /// Takes a place if there is one now.
    bool enter_at_once() noexcept {
        if (!has_room()) return false;
        ++inside_;
        return true;
    }
    /// True when there was a place at once; otherwise `admitted` is called later, unless `withdraw` comes
    /// first.
    bool enter(admission_waiter& w) noexcept;

    /// Gives a place back, and admits those who wait for it.
    void leave() noexcept;

    /// A round that was sent then was decided by answers.
    void answered(instant sent, instant now) noexcept;
    /// A round that was sent then was not, although the nodes are there.
    void unanswered(instant sent, instant now) noexcept;

    /// Stops waiting. True when it was still in the queue.
    bool withdraw(admission_waiter& w) noexcept;

    std::size_t limit() const noexcept { return limit_; }
    std::size_t inside() const noexcept { return inside_; }
    std::size_t waiting() const noexcept { return waiting_; }

private:
    void unlink(admission_waiter& w) noexcept;
    void close(instant sent, instant now) noexcept;

    const std::size_t most_;
    std::size_t limit_;
    nanoseconds slow_;
    instant closed_at_ = instant::min(); ///< rounds sent before do not show yet what came of it
    unsigned answers_ = 0;               ///< in good time, since the limit went up
    std::size_t inside_ = 0;
    std::size_t waiting_ = 0;
    admission_waiter* first_ = nullptr;
    admission_waiter* last_ = nullptr;
};

} // namespace redlock::core
