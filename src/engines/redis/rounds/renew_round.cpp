#include "engines/redis/rounds/renew_round.hpp"

#include "core/mistake.hpp"

#include <utility>

namespace redlock::redis {

void renew_round::start(claim_pointer c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    claim_ = std::move(c);
    life_ = life;
    fencing_token_ = fencing_token;
    sent_at_ = quorum_.now();
    one_more(); // until it is sent
    if (!goes_with_others()) return send_everywhere();
    quorum_.pending_renewals().add(*this);
}

// The command for several knows no fences and no readers, and shall be short.
bool renew_round::goes_with_others() const noexcept {
    constexpr std::size_t longest_key = 256;
    return claim_->mode() == mode::exclusive && !claim_->is_fenced() &&
           claim_->full_key.view().size() <= longest_key;
}

bool renew_round::ends_unsent() noexcept {
    if (!closed()) return false;
    one_less();
    return true;
}

void renew_round::send_everywhere() {
    begin_sending();
    extend_command all = command();
    for (const std::uint32_t index : quorum_.every_node())
        send(all, index);
    // Behind that, for it lives as long as the key.
    if (proclaimed_by(*claim_)) proclaim();
    if (claim_->mode() != mode::exclusive && claim_->is_fenced()) keep_fences();
    all_sent();
}

void renew_round::all_sent() {
    end_of_sending();
    one_less();
}

void renew_round::send_alone(std::uint32_t index) {
    extend_command alone = command();
    send(alone, index);
}

void renew_round::answered_with_others(std::uint32_t index, extend_answer::kind said) {
    take(index, said);
    one_less();
}

void renew_round::failed_with_others(std::uint32_t index, errc why) {
    fail(index, why);
    one_less();
}

void renew_round::refused_with_others(std::uint32_t index, const server_error& error) {
    fail(index, error);
    one_less();
}

// Not when it is closed: the key may have been released meanwhile, and this would put it back.
void renew_round::goes_alone(std::uint32_t index) {
    if (closed())
        fail(index, errc::node_unavailable);
    else
        send_alone(index);
    one_less();
}

// Which the scripts of the others do along with the key.
void renew_round::keep_fences() {
    raise_fence_command raise(quorum_.encoder(), *claim_, fencing_token_);
    expire_fence_command prolong(quorum_.encoder(), *claim_, quorum_.fence_span());
    const addressee nobody{.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline()};
    for (const std::uint32_t index : quorum_.every_node()) {
        session& s = quorum_.session_of(index);
        if (s.raises_fences() && s.send(raise, nobody) == errc{}) s.send(prolong, nobody);
    }
}

extend_command renew_round::command() const {
    return extend_command(quorum_.encoder(), *claim_, life_, quorum_.mark(fencing_token_));
}

void renew_round::send(extend_command& command, std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag, quorum_.session_of(index).send(command, to));
}

void renew_round::proclaim() {
    proclaim_command command(quorum_.encoder(), *claim_);
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index) {
        const addressee to{
            .receiver = this, .tag = reply_tag::of(index, proclaiming), .deadline = quorum_.deadline()};
        sent(to.tag, quorum_.session_of(index).send(command, to));
    }
}

void renew_round::unanswered(reply_tag tag, errc why) noexcept {
    if (tag.kind<request>() == extending) round::unanswered(tag, why);
}

void renew_round::answered(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    if (tag.kind<request>() == proclaiming) {
        // No vote. A server that lacks the script is sent it with the next renewal.
        quorum_.session_of(index).answer_to_proclaim(tag, reply);
        return;
    }
    using kind = extend_answer::kind;
    const extend_answer said = quorum_.session_of(index).answer_to_extend(tag, reply);
    if (said.what == kind::unknown_form && !closed()) {
        extend_command again = command();
        return send(again, index);
    }
    // In a closed round no vote counts any more.
    if (said.what == kind::error) return fail(index, said.error());
    // Nobody else has it: the answer of a node that fails.
    if (said.what == kind::others_read) return fail(index, errc::held);
    take(index, said.what);
}

void renew_round::take(std::uint32_t index, extend_answer::kind said) {
    using kind = extend_answer::kind;
    quorum_.counts().repairs += said == kind::put_back;
    const bool votes =
        said == kind::extended || (planted(core::mistake::repaired_keys_vote) && said == kind::put_back);
    vote(index, votes ? core::vote::yes : core::vote::no);
}

core::verdict renew_round::judge() const noexcept { return votes().decide_on_certainty(); }

} // namespace redlock::redis
