#pragma once

#include "core/quorum/tally.hpp"
#include "engines/redis/dialect/session.hpp"
#include "engines/redis/node/node.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace redlock::redis {

class quorum;

/// One question put to all nodes at once. Collects the votes, decides as early as the tally can, and must
/// live on until the last node has answered or let its deadline pass, when it is `settled`.
class round : public node::reply_receiver {
public:
    round(const round&) = delete;
    round& operator=(const round&) = delete;

    const core::tally& votes() const noexcept { return tally_; }
    core::verdict verdict() const noexcept { return verdict_; }
    /// Whether every request was answered or given up, and none is still to be sent.
    bool settled() const noexcept { return outstanding_ == 0; }

    /// The common reason of the nodes that failed, when it is one that waiting does not cure; otherwise
    /// `no_quorum`.
    errc failure() const noexcept;

    /// The one reason that all nodes that failed have; 0 where there are several, or none failed.
    errc common_cause() const noexcept { return mixed_ ? errc{} : cause_; }

    /// Nobody waits for the verdict any more: from now on replies are taken in, but nothing is sent because
    /// of them.
    void close() noexcept { closed_ = true; }
    bool closed() const noexcept { return closed_; }

protected:
    explicit round(redis::quorum& r) noexcept : tally_(1), quorum_(r) {}
    ~round() = default;

    /// Clears everything for a round over `nodes` nodes. Between `begin` and `end_of_sending` no verdict is
    /// announced.
    void begin(unsigned nodes) noexcept;
    /// Goes on with the votes there are: more is sent, and there will be another verdict.
    void reopen() noexcept;
    /// Between `reopen` and `end_of_sending`.
    void take_back(std::uint32_t node) noexcept { tally_.take_back(node); }
    void end_of_sending() noexcept;

    /// Takes note of a request that a session accepted (0) or refused.
    void sent(reply_tag tag, errc refusal) noexcept {
        if (refusal == errc{})
            one_more();
        else
            unanswered(tag, refusal);
    }

    /// Of a request that these nodes accepted.
    void sent_to(core::node_set nodes) noexcept {
        const bool to_all = nodes == core::node_set::all_of(votes().nodes());
        outstanding_ = static_cast<std::uint16_t>(outstanding_ + (to_all ? votes().nodes() : nodes.size()));
    }

    void vote(std::uint32_t node, core::vote v) noexcept {
        tally_.record(node, v);
        // A yes that makes no majority decides nothing while others are missing.
        const bool is_short = v == core::vote::yes && tally_.pending() > 0 &&
                              tally_.count(core::vote::yes) < core::majority(tally_.nodes());
        if (!is_short) consider();
    }
    void fail(std::uint32_t node, errc why) noexcept;
    /// Its server answered with an error, which is kept for those who ask why the node failed.
    void fail(std::uint32_t node, const server_error& error) noexcept;
    void keep(std::uint32_t node, const server_error& error) noexcept;

    /// The answer to an accepted request.
    virtual void answered(reply_tag tag, const resp::reply& reply) = 0;
    /// An accepted request got no answer. Fails the node unless overridden.
    virtual void unanswered(reply_tag tag, errc why) noexcept;

    /// How the votes make a verdict. By default the tally's early decision.
    virtual core::verdict judge() const noexcept { return tally_.decide(); }

    /// Judges anew: something has changed beside the votes.
    void consider() noexcept {
        if (!sending_ && verdict_ == core::verdict::open) reach_verdict();
    }
    /// A request, or whatever else is to keep the round, is on its way: until `one_less`.
    void one_more() noexcept { ++outstanding_; }
    void one_less() noexcept {
        if (--outstanding_ == 0) all_settled();
    }

    /// The verdict is there: called once after each `begin` or `reopen`, unless the round was closed before.
    virtual void decided() noexcept = 0;
    /// No request is outstanding any more. The owner may be destroyed here.
    virtual void all_settled() noexcept = 0;

    void on_reply(reply_tag tag, const resp::reply& reply) noexcept final {
        answered(tag, reply);
        one_less();
    }

private:
    void reach_verdict() noexcept;
    void on_failure(reply_tag tag, errc why) noexcept final;

    core::tally tally_;
    core::verdict verdict_ = core::verdict::open;
    bool mixed_ = false; ///< the failed votes had different causes
    bool sending_ = false;
    bool closed_ = false;
    std::uint16_t outstanding_ = 0;
    errc cause_{}; ///< of the failed votes so far; 0 when there was none

protected:
    redis::quorum& quorum_;
};

} // namespace redlock::redis
