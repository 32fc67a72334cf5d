#pragma once

#include "core/flow/admission_window.hpp"

#include <cstdint>
#include <utility>

namespace redlock::core {

/// Somebody's place in an admission window, or his turn to have one. It is given back at the end of this at
/// the latest.
class admission_place : private admission_waiter {
public:
    explicit admission_place(admission_window& in) noexcept : in_(in) {}
    admission_place(const admission_place&) = delete;
    admission_place& operator=(const admission_place&) = delete;

    bool is_inside() const noexcept { return state_ == state::inside; }
    bool is_queued() const noexcept { return state_ == state::queued; }
    /// For one that is outside. True when there is a place at once; otherwise `let_in` follows, unless it
    /// leaves before. `ahead`: as `admission_window::enter_ahead`.
    bool enter(bool ahead = false) noexcept {
        const bool at_once = ahead ? in_.enter_ahead(*this) : in_.enter(*this);
        state_ = at_once ? state::inside : state::queued;
        return at_once;
    }
    /// Whatever it has, if anything.
    void leave() noexcept {
        const state before = std::exchange(state_, state::outside);
        if (before == state::inside) in_.leave();
        if (before == state::queued) in_.withdraw(*this);
    }

protected:
    ~admission_place() { leave(); }
    admission_window& window() noexcept { return in_; }

private:
    enum class state : std::uint8_t { outside, queued, inside };

    /// From inside `leave` of another one.
    virtual void let_in() noexcept = 0;
    void admitted() noexcept final {
        state_ = state::inside;
        let_in();
    }

    admission_window& in_;
    state state_ = state::outside;
};

} // namespace redlock::core
