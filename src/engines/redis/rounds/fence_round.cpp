#include "engines/redis/rounds/fence_round.hpp"

#include "core/mistake.hpp"

namespace redlock::redis {

namespace {

// For each node. Only others that take the key over, node by node, can make it necessary to ask so often.
constexpr unsigned most_sendings = 8;

} // namespace

void fence_round::advance(const claim& c) {
    claim_ = &c;
    ++stage_;
    rule_.restart();
    begin(quorum_.nodes());
    at_least_ = quorum_.propose_fence();
    sendings_left_ = most_sendings * quorum_.nodes();
    send(quorum_.every_node());
    end_of_sending();
}

void fence_round::send(core::node_set nodes) {
    advance_fence_command command(quorum_.encoder(), *claim_, quorum_.mark(at_least_));
    for (const std::uint32_t index : nodes) {
        const addressee to{
            .receiver = this, .tag = reply_tag::of(index, stage_), .deadline = quorum_.deadline()};
        if (sendings_left_ == 0) {
            fail(index, errc::no_quorum);
            continue;
        }
        --sendings_left_;
        sent(to.tag, quorum_.session_of(index).send(command, to));
    }
}

void fence_round::answered(reply_tag tag, const resp::reply& reply) {
    using kind = advance_answer::kind;
    const std::uint32_t index = tag.node();
    const advance_answer said = quorum_.session_of(index).answer_to_advance(tag, reply);
    // Also from a straggler: the next proposal is to be above what that node has.
    if (said.what == kind::raised) quorum_.fence_seen(said.fence());
    // The token of a decided round stays what it is, and nobody waits for that of a closed one.
    if (closed() || !is_current(tag) || verdict() != core::verdict::open) return;
    switch (said.what) {
    case kind::raised:
        return raised(index, said.fence());
    case kind::too_high: // as a token it would raise the fences of all others to where they cannot count on
        return fail(index, errc::protocol_error);
    case kind::not_ours:
        return vote(index, core::vote::no);
    case kind::unknown_form:
        return send(core::node_set::just(index));
    case kind::error:
        return fail(index, said.error());
    }
}

void fence_round::raised(std::uint32_t index, std::uint64_t fence) {
    using standing = core::fence_rule::standing;
    standing found = standing::agrees;
    const bool above = rule_.token() != 0 && fence > rule_.token();
    if (!(planted(core::mistake::higher_fence_agrees) && above)) found = rule_.raised_to(fence);
    if (planted(core::mistake::no_write_back)) found = standing::agrees;
    if (planted(core::mistake::highest_fence_read) && claim_->reads()) found = standing::agrees;
    core::node_set lagging;
    if (found == standing::lags)
        lagging = core::node_set::just(index);
    else if (found == standing::raises)
        lagging = votes().who(core::vote::yes);
    for (const std::uint32_t other : lagging)
        take_back(other);
    at_least_ = rule_.token();
    if (found != standing::lags) vote(index, core::vote::yes);
    if (!lagging.empty() && verdict() == core::verdict::open) send(lagging);
}

void fence_round::unanswered(reply_tag tag, errc why) noexcept {
    if (is_current(tag) && verdict() == core::verdict::open) fail(tag.node(), why);
}

} // namespace redlock::redis
