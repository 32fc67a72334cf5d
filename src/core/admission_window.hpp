#pragma once

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
class admission_window {
public:
    explicit admission_window(std::size_t limit) noexcept : limit_(limit) {}

    /// True when there was a place at once; otherwise `admitted` is called later, unless `withdraw` comes
    /// first.
    bool enter(admission_waiter& w) noexcept;

    /// Takes a place without asking: for rounds that must not wait, such as renewals, releases and the second
    /// command of a cycle. May go past the limit; newcomers then wait the longer.
    void enter_at_once() noexcept { ++inside_; }

    /// Gives a place back, and admits the first that waits.
    void leave() noexcept;

    /// Stops waiting. True when it was still in the queue.
    bool withdraw(admission_waiter& w) noexcept;

    std::size_t inside() const noexcept { return inside_; }
    std::size_t waiting() const noexcept { return waiting_; }

private:
    void unlink(admission_waiter& w) noexcept;

    std::size_t limit_;
    std::size_t inside_ = 0;
    std::size_t waiting_ = 0;
    admission_waiter* first_ = nullptr;
    admission_waiter* last_ = nullptr;
};

} // namespace redlock::core
