#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/quorum/round.hpp"
#include "turn/outcome.hpp"

#include <redlock/detail/pool.hpp>

#include <cstdint>
#include <memory>

namespace redlock::redis {

/// Deletes the keys of one claim on a set of nodes. Owns itself: it exists until every node has answered or
/// let its deadline pass, and leaves a debt with the quorum for each node that may not have been reached. It
/// belongs to no caller, so no cancellation reaches it.
class release final : public round, public turn::list_hook, public detail::pooled {
public:
    /// `until` is when the keys run out by themselves. `unlockers` are told how it
    /// came out: 0: it was ours until now and a majority knows that it is free; `lease_lost`: a majority did
    /// not have it any more, or the lease was `lost` before; `no_quorum`: a majority did not answer.
    static void start(quorum& r, std::shared_ptr<const claim> c, core::node_set nodes, time::instant until,
                      turn::outcome_waiters&& unlockers = {}, bool lost = false);

private:
    friend class quorum;
    release(redis::quorum& r, std::shared_ptr<const claim> c, time::instant until,
            turn::outcome_waiters&& unlockers, bool lost) noexcept
        : round(r), claim_(std::move(c)), until_(until), lost_(lost), unlockers_(std::move(unlockers)) {}
    ~release() = default;

    void send_all(core::node_set nodes);
    core::node_set send_to_all(release_command& command);
    void send(release_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;
    void refused(reply_tag tag, release_answer said);
    void unanswered(reply_tag tag, errc why) noexcept override;
    core::verdict judge() const noexcept override;
    void decided() noexcept override;
    void all_settled() noexcept override;
    errc outcome() const noexcept;

    std::shared_ptr<const claim> claim_;
    time::instant until_;
    const bool lost_;
    turn::outcome_waiters unlockers_;
};

} // namespace redlock::redis
