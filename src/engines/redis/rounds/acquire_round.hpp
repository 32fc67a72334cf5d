#pragma once

#include "core/quorum/availability.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/detachable_round.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace redlock::redis {

/// Asks all nodes for a key. No node can have the token of a claim before this asks for it, see
/// `acquire::renew_claim`.
///
/// It may propose a fencing token besides, before anybody knows whether the key is to be had: then nodes
/// raise their fences to the claim's proposal for whoever asks (docs/fencing.md), a majority of them, to
/// bother no more. Where that is not enough, because some fences were as high before, a `fence_round` goes
/// on.
class acquire_round : public detachable_round {
public:
    acquire_round(quorum& r, turn::operation& owner, unsigned decided_event, unsigned settled_event) noexcept
        : detachable_round(r, owner, decided_event, settled_event) {}

    /// `life` is what the keys get. Asks the nodes in `first`; the others only when one of those has said
    /// yes. Refused when all of them said no.
    void start(const claim& c, std::chrono::milliseconds life, core::node_set first);
    /// Behind `start`, and for that try alone. If it is still open, then granted means from now on that the
    /// proposal has been decided, too.
    void propose_token();
    /// Whether a majority has raised its fences to the proposal.
    bool has_token() const noexcept { return proposes_ && raised_ >= core::majority(votes().nodes()); }
    /// After a refusal: keeps the votes and asks those of `nodes` again that said no.
    void ask_again(core::node_set nodes);

    bool has_begun() const noexcept { return claim_ != nullptr; }

    /// Takes down there, from now on, what the nodes say of the key. Null to end that.
    void note_in(core::availability* sight) {
        if (sight || rivalry_) contested().sight = sight;
    }

    /// The sending of the oldest vote.
    time::instant sent_at() const noexcept { return sent_at_; }
    /// That of the youngest, for what it may have left on a node.
    time::instant last_sent_at() const noexcept { return rivalry_ ? rivalry_->sent_at : sent_at_; }
    /// Whether the nodes that refused named several holders, or one of them none.
    bool has_rivals() const noexcept { return rivalry_ && rivalry_->rivals; }

    /// The nodes that may hold our key now, for the one who releases them: all that were asked and did not
    /// say that they refused. Each is given once.
    core::node_set take_votes() noexcept {
        return std::exchange(asked_, {}) - (rivalry_ ? rivalry_->refused : core::node_set());
    }

    std::chrono::milliseconds life() const noexcept { return life_; }
    const claim& what() const noexcept { return *claim_; }
    /// It was let go of before it was sent. May be the end of it, where it was.
    bool ends_unsent() noexcept;
    void send_everywhere();

    // For `joint_round`, as with `release`: it has begun.
    void begin_sending() noexcept {}
    void sent_with_others(std::uint32_t index, errc refusal);
    void send_alone(std::uint32_t index);
    void all_sent();
    void granted_with_others(std::uint32_t index);
    void refused_by_holder(std::uint32_t index, std::string_view holder);
    void failed_with_others(std::uint32_t index, errc why);
    void refused_with_others(std::uint32_t index, const server_error& error);
    void goes_alone(std::uint32_t index);

    // For `fence_proposals`.
    std::string_view full_key() const noexcept { return claim_->full_key; }
    /// Gives those of `nodes` that were asked.
    core::node_set send_proposal(core::node_set nodes);
    /// Whether all of them took it.
    bool send_fence_life(core::node_set nodes);
    /// May be the end of it.
    void proposal_sent() { one_less(); }

private:
    /// What matters only where others want the key too: apart, so that a round that meets nobody takes less
    /// memory.
    struct rivalry : detail::pooled {
        core::node_set refused;
        core::node_set rest;     ///< not asked yet; then the round is partial
        std::size_t rival = 0;   ///< hash of the token that the nodes refused with; 0 before the first
        bool rivals = false;     ///< there were several tokens, or none was told
        time::instant sent_at{}; ///< of the youngest vote
        core::availability* sight = nullptr;
    };
    /// Who takes down what each node says, if anybody does.
    core::availability* sight() const noexcept { return rivalry_ ? rivalry_->sight : nullptr; }
    rivalry& contested() {
        if (!rivalry_) {
            rivalry_.reset(new rivalry);
            rivalry_->sent_at = sent_at_;
        }
        return *rivalry_;
    }

    enum kind : std::uint8_t { grant, proposal }; // what a node was asked for

    bool goes_with_others(core::node_set nodes) const noexcept;
    void send(core::node_set nodes);
    void send_to(core::node_set nodes);
    core::node_set send_to_all(set_command& command);
    void send_set(set_command& command, std::uint32_t index);
    void answered(reply_tag tag, const resp::reply& reply) override;
    void not_granted(reply_tag tag, const resp::reply& reply);
    void take(std::uint32_t index) noexcept;
    void refuse(std::uint32_t index);
    void hear(std::uint32_t index, const server_error& error);
    void give_up_on(std::uint32_t index, errc why) noexcept;
    void unanswered(reply_tag tag, errc why) noexcept override;
    void proposal_answered(reply_tag tag, const resp::reply& reply);
    void proposal_answered(bool raised) noexcept;
    void note_rival(std::string_view holder);
    addressee back(std::uint32_t index, kind k) noexcept;
    core::verdict judge() const noexcept override;
    core::verdict judge_with_proposal() const noexcept;
    void decided() noexcept override;

    bool partial_ = false;      ///< some nodes are asked later, or never
    bool proposes_ = false;     ///< a fencing token, beside the votes
    std::uint8_t raised_ = 0;   ///< fences, to that proposal
    std::uint8_t raisable_ = 0; ///< those, and those of nodes that have not answered
    const claim* claim_ = nullptr;
    std::chrono::milliseconds life_{0};
    time::instant sent_at_{};
    core::node_set asked_;
    std::unique_ptr<rivalry> rivalry_;
};

} // namespace redlock::redis
