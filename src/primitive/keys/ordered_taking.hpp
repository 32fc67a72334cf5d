#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace redlock::primitive {

/// How several keys are taken, all of them or none, by callers of whom no two ever wait for each other: the
/// keys have one order for everybody, and whoever waits for a key holds only such as come before it. All are
/// asked for at once; a key that somebody else has is waited for with those before it held, and those behind
/// it given back.
class ordered_taking {
public:
    enum class step : std::uint8_t {
        ask_for_rest, ///< for all from `first` on, without waiting
        wait_for_first,
        granted,
        refused ///< somebody else has one, and the caller does not wait
    };

    ordered_taking(std::size_t keys, bool waits) noexcept : keys_(keys), waits_(waits) { assert(keys > 0); }

    /// The first key that is not held. All before it are, none behind it is.
    std::size_t first() const noexcept { return first_; }

    step begin() noexcept {
        first_ = 0;
        return step::ask_for_rest;
    }
    /// The rest was asked for, and this is the first that somebody else has; the number of keys when none is.
    /// Keys behind it are given back.
    step asked(std::size_t first_refused) noexcept {
        assert(first_refused >= first_ && first_refused <= keys_);
        first_ = first_refused;
        if (first_ == keys_) return step::granted;
        return waits_ ? step::wait_for_first : step::refused;
    }
    /// The first was waited for, and is held.
    step waited() noexcept {
        ++first_;
        return first_ == keys_ ? step::granted : step::ask_for_rest;
    }
    /// A key that was held is lost: the others were given back.
    step lost() noexcept { return begin(); }

private:
    const std::size_t keys_;
    std::size_t first_ = 0;
    const bool waits_;
};

} // namespace redlock::primitive
