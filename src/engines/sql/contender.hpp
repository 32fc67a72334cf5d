#pragma once

#include "core/backoff.hpp"
#include "core/instant.hpp"
#include "core/random.hpp"

#include <redlock/error.hpp>

#include <chrono>
#include <cstdint>

namespace redlock::sql {

/// What the database said to a try.
struct verdict {
    enum class kind : std::uint8_t {
        granted,
        held,  ///< by somebody else, whose row ends after `ends_in`
        busy,  ///< the row is in somebody's hands this very moment
        failed ///< nobody knows, or nothing came of it: `why`
    };
    kind what;
    core::nanoseconds ends_in{};
    errc why{};
};

/// What a contender for a key does next: it is told events and the time, and says what to do. It asks for the
/// key; refused, it first sees to being told of releases and asks once more, so that none happens in between;
/// then it sleeps until it is told, or the row of the holder ends.
class contender {
public:
    enum class action : std::uint8_t {
        sleep,  ///< until then, or until told of a release
        ask,    ///< for the key
        listen, ///< see to being told of releases; until then
        take,   ///< the grant
        end,    ///< without the key
        go_on   ///< with what it does
    };
    struct step {
        action what;
        core::instant until = core::instant::max();
        errc why{}; ///< of an end
    };

    /// `wait_until` is of no matter to one that does not wait.
    contender(bool waits, core::instant wait_until) noexcept : waits_(waits), wait_until_(wait_until) {}

    /// Not before then, for others are to have a chance first.
    step start(core::instant now, core::instant not_before) noexcept;
    step answered(const verdict& v, core::instant now, core::random& draws) noexcept;
    /// Whether it is told of releases from now on; otherwise it looks again every now and then.
    step listening(bool can) noexcept;
    /// The key may be free. Nothing to do while the answer to a try is awaited, but not forgotten.
    step told() noexcept;
    /// The time of a sleep or of a wait for being told has come.
    step time_passed(core::instant now) noexcept;
    /// The grant was of no use any more.
    step came_too_late(core::instant now, core::random& draws) noexcept;

    bool asks() const noexcept { return phase_ == phase::asking; }
    bool has_waited() const noexcept { return has_waited_; }

private:
    enum class phase : std::uint8_t { pausing, asking, arranging, sleeping, over };

    step ask() noexcept;
    step sleep(core::instant until) noexcept;
    step end(errc why) noexcept;
    step busy(core::instant now, core::random& draws) noexcept;
    step held(core::instant now, core::nanoseconds ends_in, core::random& draws) noexcept;
    step failed(errc why, core::instant now, core::random& draws) noexcept;

    const bool waits_;
    const core::instant wait_until_;
    core::backoff soon_{std::chrono::milliseconds(4), std::chrono::milliseconds(100)};
    core::backoff later_{std::chrono::milliseconds(100), std::chrono::seconds(1)};
    phase phase_ = phase::pausing;
    unsigned looks_ = 0;
    bool arranged_ = false; ///< it was seen to that it is told, if it can be
    bool is_told_ = false;
    bool heard_ = false; ///< while it asked
    bool has_waited_ = false;
};

} // namespace redlock::sql
