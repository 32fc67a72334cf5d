#pragma once

#include "core/instant.hpp"
#include "engines/sql/claim.hpp"
#include "turn/live_list.hpp"

#include <redlock/detail/pool.hpp>
#include <redlock/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace redlock::sql {

/// Farther ahead no time stands in a row.
inline constexpr std::chrono::milliseconds longest_row_life = std::chrono::hours(24 * 365 * 100);

/// What the database said to a request.
struct reply {
    enum class kind : std::uint8_t {
        done,
        refused, ///< the row is another's; of an acquire, until `ends_in` has passed
        busy,    ///< the row is in somebody's hands this very moment
        failed,  ///< nothing came of it
        unknown  ///< it was sent, and nobody knows what became of it
    };
    kind what = kind::failed;
    errc why{}; ///< it failed
    core::instant sent_at{};
    std::uint64_t fencing_token = 0; ///< of an acquire, or where a new one was asked for
    core::nanoseconds ends_in{};
};

/// Something that is asked of the row of one key. It leaves with all others of its turn. Owns itself: until
/// it was answered it belongs to whom it was given.
class request : public turn::list_hook, public detail::pooled {
public:
    enum class kind : std::uint8_t { release, renew, advance, acquire };
    static constexpr std::size_t kinds = 4;

    request(kind k, claim_pointer c, std::chrono::milliseconds new_life = {}) noexcept
        : what(k), of(std::move(c)), life(new_life) {}
    request(const request&) = delete;
    request& operator=(const request&) = delete;
    virtual ~request() = default;

    /// In a turn; the last call, after which nobody but itself refers to it. It may destroy itself, be given
    /// away once more, or let go of others.
    virtual void answered(const reply& r) noexcept = 0;
    /// Whether it is to be kept until there is a connection again.
    virtual bool outlasts_connection() const noexcept { return false; }

    const kind what;
    const claim_pointer of;
    const std::chrono::milliseconds life;
    bool sent = false;
    core::instant keys_end = core::instant::min(); ///< of a release: then the key ends by itself
    /// Of an acquire, when it is sent: as far as this client knows the row is there, and free.
    bool row_was_left = false;
};

} // namespace redlock::sql
