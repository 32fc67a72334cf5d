#pragma once

#include "core/flow/pace.hpp"
#include "core/instant.hpp"

#include <algorithm>
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
/// What the nodes and the ways to them bear is not known beforehand. So it is narrow at first and opens while
/// those inside are answered in good time and others wait; it closes when they take more than half of the
/// time they have: servers that are asked for more than they can do, and links that are given more than they
/// can carry, answer late, then too late, and all that they do is in vain from then on (Jacobson, "Congestion
/// Avoidance and Control", 1988).
class admission_window {
public:
    /// `most` rounds at once, each of which must be decided within `time`.
    admission_window(std::size_t most, nanoseconds time) noexcept
        : most_(most), limit_(std::min(most, at_first)), slow_(time / 2), answers_(time) {}
    /// Rounds have this time from now on.
    void set_time(nanoseconds time) noexcept;

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
    /// Likewise, before all who came by `enter` and behind those who came like this: for one that has a place
    /// on the servers already, and others wait behind it.
    bool enter_ahead(admission_waiter& w) noexcept;

    /// Gives a place back, and admits those who wait for it.
    void leave() noexcept;

    /// A round that was sent then was decided by answers.
    void answered(instant sent, instant now) noexcept;
    /// A round that was sent then was not, although the nodes are there.
    void unanswered(instant sent, instant now) noexcept;
    /// One was not, and no majority of the nodes is there: nothing is gained by keeping others waiting.
    void not_reached() noexcept;

    /// Stops waiting. True when it was still in the queue.
    bool withdraw(admission_waiter& w) noexcept;

    std::size_t limit() const noexcept { return limit_; }
    std::size_t inside() const noexcept { return inside_; }
    std::size_t waiting() const noexcept { return waiting_; }

    /// So many are let in before anything is known. On a link of 1 Mbit/s their commands take some 30 ms.
    static constexpr std::size_t at_first = 32;

private:
    void queue_behind(admission_waiter* before, admission_waiter& w) noexcept;
    void unlink(admission_waiter& w) noexcept;
    bool is_used() const noexcept { return first_ || inside_ >= limit_; }
    /// So many rounds were answered since that one was sent.
    void close(instant sent, instant now, std::size_t answers) noexcept;

    const std::size_t most_;
    std::size_t limit_;
    nanoseconds slow_;
    instant closed_at_ = instant::min(); ///< rounds sent before do not show yet what came of it
    bool has_closed_ = false;
    unsigned in_good_time_ = 0; ///< since the limit went up
    pace answers_;
    std::size_t inside_ = 0;
    std::size_t waiting_ = 0;
    admission_waiter* first_ = nullptr;
    admission_waiter* last_ = nullptr;
    admission_waiter* last_ahead_ = nullptr; ///< of those who are before all others; null where there is none
};

} // namespace redlock::core
