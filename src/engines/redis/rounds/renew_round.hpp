#pragma once

#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"
#include "turn/operation.hpp"

#include <chrono>
#include <cstdint>

namespace redlock::redis {

/// Asks all nodes to extend a key that is ours. A node where it was missing puts it back, but that is no
/// vote: only the next round counts it. Refused means that a majority definitely did not have our key;
/// unreachable, that too few nodes answered to tell.
class renew_round final : public detachable_round {
public:
    renew_round(redis::quorum& q, turn::operation& owner, unsigned decided_event) noexcept
        : detachable_round(q, owner, decided_event, 0) {}

    /// `fencing_token` is that of the lease; without meaning for a claim without fencing.
    void start(claim_pointer c, std::chrono::milliseconds life, std::uint64_t fencing_token);
    time::instant sent_at() const noexcept { return sent_at_; }
    const claim_pointer& what() const noexcept { return claim_; }
    std::chrono::milliseconds life() const noexcept { return life_; }
    /// It was let go of before it was sent. May be the end of it, where it was.
    bool ends_unsent() noexcept;
    /// May be the end of it, as what follows.
    void send_everywhere();

    // For `joint_round`, as with `release`.
    void begin_sending() { begin(quorum_.nodes()); }
    void sent_with_others(std::uint32_t index, errc refusal) { sent(reply_tag::of(index), refusal); }
    void send_alone(std::uint32_t index);
    void all_sent();
    void answered_with_others(std::uint32_t index, extend_answer::kind said);
    void failed_with_others(std::uint32_t index, errc why);
    void refused_with_others(std::uint32_t index, const server_error& error);
    void goes_alone(std::uint32_t index);

private:
    enum request : std::uint32_t { extending, proclaiming };

    bool goes_with_others() const noexcept;
    extend_command command() const;
    void proclaim();
    void keep_fences();
    void take(std::uint32_t index, extend_answer::kind said);
    void send(extend_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;
    void unanswered(reply_tag tag, errc why) noexcept override;
    core::verdict judge() const noexcept override;

    claim_pointer claim_;
    std::chrono::milliseconds life_{0};
    std::uint64_t fencing_token_ = 0;
    time::instant sent_at_{};
};

} // namespace redlock::redis
