#pragma once

#include "core/instant.hpp"
#include "core/quorum/node_set.hpp"
#include "core/quorum/tally.hpp"
#include "core/random.hpp"

#include <redlock/error.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace redlock::core {

/// What a contender has been told to do, and what it has to do with.
struct contender_terms {
    bool waits;                 ///< for whoever has the key; otherwise it makes one attempt
    instant wait_until;         ///< no longer than this
    nanoseconds longest_keep{}; ///< of votes, at most; see `longest_keep_of`
};

/// For how long votes may be kept of a lease with that ttl: its validity counts from the oldest of them.
constexpr nanoseconds longest_keep_of(nanoseconds node_timeout, nanoseconds ttl) noexcept {
    return std::min(node_timeout, ttl / 4);
}

/// What is known of others that want the key.
struct crowd {
    bool contested;               ///< somebody was refused lately
    bool crowded;                 ///< several run into each other
    bool majority_tells;          ///< waiting clients are told at once when the key becomes free
    nanoseconds round_trip;       ///< to a majority
    nanoseconds usual_round_trip; ///< likewise, without what is this client's own fault
    bool queues = false;          ///< a majority of the nodes keeps a queue of those who want the key
    bool told = false;            ///< and tells whoever is handed it, which the next one is to be
};

/// What a round of asking the nodes for the key has come to.
struct round_result {
    verdict votes;
    node_set yes;
    node_set no;
    bool rivals;                     ///< the nodes that refused named several holders, or none
    bool raced;                      ///< the key was known to be free before they were asked
    std::optional<unsigned> arbiter; ///< of the nodes that said yes or no; needed for a split vote
    errc failure;                    ///< why nodes failed
    bool has_token = true;           ///< or none is wanted
    bool token_refused = false;      ///< the key went to somebody else while the token was asked for
    bool queues = false;             ///< a majority of the nodes keeps a queue of those who want the key
};

/// Whether the nodes that refused are, or may be, in the hands of several contenders, none of whom has a
/// majority.
bool is_split(const round_result& r, unsigned nodes) noexcept;

/// What a contender for a key does next: it is told events and the time, and says what to do. Pause, watch
/// the key, get a place on the wire, ask, and then take the key, keep the votes that it has, or give way.
///
/// Of contenders that split the votes, the one with the vote of the arbiter keeps its votes and asks the
/// others again; all others give way at once. The validity of a grant counts from the oldest vote, so waiting
/// costs of it.
class contender {
public:
    enum class action : std::uint8_t {
        pause,         ///< until then
        watch,         ///< the key, until then: it may become free
        queue,         ///< stand in the queues of the nodes, until then
        await_replies, ///< of the round before
        enter,         ///< the admission window, until then
        ask,           ///< the nodes: those that are missing, if votes are kept, otherwise anew
        get_token,     ///< the key is ours; the fencing token is still wanted
        take,          ///< the grant
        end            ///< without the key
    };
    struct step {
        action what;
        instant until = instant::max();
        errc why{};             ///< of an end
        bool gives_way = false; ///< first, all votes are given back
    };
    /// Why a round was not granted.
    struct refusal {
        errc why{};
        bool reached = false;   ///< enough nodes answered
        bool split = false;     ///< some of them with yes
        bool lost_race = false; ///< to a contender that wanted the key at the same time
    };

    contender(const contender_terms& terms, unsigned nodes) noexcept
        : terms_(terms), nodes_(static_cast<std::uint8_t>(nodes)) {}

    /// Not before then, for others are to have a chance first.
    step start(instant now, const crowd& others, instant not_before = instant::min()) noexcept;
    /// The time of a pause, a watch or a wait for a place has come.
    step time_passed(instant now, const crowd& others, bool settled) noexcept;
    step may_be_free(bool settled) noexcept;
    /// Of the round before: all of them, or not yet.
    step replies_came(bool settled) noexcept { return approach(settled); }
    step admitted() noexcept;
    /// Out of the queues: a majority has the key in the name of this one.
    step handed_over(bool has_token) noexcept;
    /// Too few nodes keep queues.
    step queues_failed() noexcept;
    /// `keep_until` is how long votes are kept at most, should they be.
    step decided(const round_result& r, instant now, bool watching, instant keep_until) noexcept;
    /// Of the same round.
    step token_decided(const round_result& r, instant now, bool watching, instant keep_until) noexcept;
    /// The grant was of no use any more.
    step came_too_late(instant now, bool watching) noexcept;
    /// Somebody lost interest.
    step ended(errc why) noexcept {
        phase_ = phase::over;
        return {.what = action::end, .why = why, .gives_way = true};
    }

    /// The grant was taken, or none is to come. Too late a grant begins it anew.
    bool is_over() const noexcept { return phase_ == phase::over; }

    bool keeps_votes() const noexcept { return keeps_votes_; }
    bool waits() const noexcept { return terms_.waits; }
    /// Whether it has stood in the queues, and they did not fail.
    bool has_queued() const noexcept { return queues_; }
    /// Of the last round.
    const refusal& why_refused() const noexcept { return refusal_; }
    /// For a while that differs from contender to contender, should several take themselves for the
    /// favourite.
    instant keep_until(instant oldest_vote, random& draws) const;

private:
    enum class phase : std::uint8_t { pausing, watching, queueing, settling, entering, asking, over };

    instant first_try(instant now, const crowd& others, instant not_before) const noexcept;
    step first_look(const crowd& others) noexcept;
    step watch(instant until) noexcept;
    step queue() noexcept;
    step approach(bool settled) noexcept;
    step enter() noexcept;
    step conclude(const round_result& r, instant now, bool watching, instant keep_until) noexcept;
    step refused(instant now, bool watching, bool favourite, instant keep_until) noexcept;

    const contender_terms terms_;
    const std::uint8_t nodes_;
    refusal refusal_;
    phase phase_ = phase::pausing;
    bool inside_ = false;      ///< the admission window, also while votes are kept
    bool queues_ = false;      ///< stands in the queues, or stood there last
    bool keeps_votes_ = false; ///< of a refused round, until others have given way
    std::uint8_t keeps_ = 0;   ///< of votes, in a row
};

} // namespace redlock::core
