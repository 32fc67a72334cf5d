#include "engines/redis/rounds/fence_round.hpp"

#include "core/mistake.hpp"

namespace redlock::redis {

namespace {

// For each node. Only others that take the key over, node by node, can make it necessary to ask so often.
constexpr unsigned most_sendings = 8;

} // namespace

void fence_round::advance(const claim& c) {
    const bool joins = goes_with_others(c);
    claim_ = &c;
    ++stage_;
    rule_.restart();
    begin(quorum_.nodes());
    at_least_ = quorum_.propose_fence();
    sendings_left_ = most_sendings * quorum_.nodes();
    if (!joins) {
        send(quorum_.every_node());
        return end_of_sending();
    }
    c.retold = true; // a release may come before this is put into bytes
    one_more();      // until it is sent
    quorum_.pending_advances().add(*this);
}

// The command for several knows no readers, and shall be short. To which beginning an answer to it belongs is
// known as long as there is one such command at a time.
bool fence_round::goes_with_others(const claim& c) const noexcept {
    constexpr std::size_t longest_key = 256;
    return settled() && !c.reads() && c.full_key.view().size() <= longest_key;
}

bool fence_round::ends_unsent() noexcept {
    if (!closed()) return false;
    one_less();
    return true;
}

void fence_round::send_everywhere() {
    send(quorum_.every_node());
    all_sent();
}

void fence_round::all_sent() {
    end_of_sending();
    one_less();
}

void fence_round::sent_with_others(std::uint32_t index, errc refusal) {
    --sendings_left_;
    sent(reply_tag::of(index, stage_), refusal);
}

// What its own command says of a key that is told to fail is acted upon.
void fence_round::answered_with_others(std::uint32_t index, kind_of_advance said, std::uint64_t fence) {
    if (said == kind_of_advance::error) return goes_alone(index);
    if (said == kind_of_advance::raised) quorum_.fence_seen(fence);
    if (counts(joint_stage_)) take(index, said, fence);
    one_less();
}

void fence_round::failed_with_others(std::uint32_t index, errc why) {
    if (counts(joint_stage_)) fail(index, why);
    one_less();
}

void fence_round::refused_with_others(std::uint32_t index, const server_error& error) {
    if (counts(joint_stage_)) fail(index, error);
    one_less();
}

void fence_round::goes_alone(std::uint32_t index) {
    if (counts(joint_stage_)) send_alone(index);
    one_less();
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
    if (!counts(tag.kind<std::uint16_t>())) return;
    if (said.what == kind::error) return fail(index, said.error());
    take(index, said.what, said.what == kind::raised ? said.fence() : 0);
}

void fence_round::take(std::uint32_t index, kind_of_advance said, std::uint64_t fence) {
    switch (said) {
    case kind_of_advance::raised:
        return raised(index, fence);
    case kind_of_advance::too_high: // as a token it would raise the fences of all others to where they cannot
                                    // count on
        return fail(index, errc::protocol_error);
    case kind_of_advance::not_ours:
        return vote(index, core::vote::no);
    default: // the server does not take the form
        return send(core::node_set::just(index));
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
    if (tag.kind<std::uint16_t>() == stage_ && verdict() == core::verdict::open) fail(tag.node(), why);
}

} // namespace redlock::redis
