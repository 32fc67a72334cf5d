#include "engines/redis/rounds/renew_round.hpp"

#include "core/mistake.hpp"

#include <utility>

namespace redlock::redis {

void renew_round::start(claim_pointer c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    claim_ = std::move(c);
    life_ = life;
    fencing_token_ = fencing_token;
    sent_at_ = quorum_.now();
    begin(quorum_.nodes());
    extend_command all = command();
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        send(all, index);
    end_of_sending();
}

extend_command renew_round::command() const {
    return extend_command(quorum_.encoder(), *claim_, life_, quorum_.mark(fencing_token_));
}

void renew_round::send(extend_command& command, std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag, quorum_.session_of(index).send(command, to));
}

void renew_round::answered(reply_tag tag, const resp::reply& reply) {
    using kind = extend_answer::kind;
    const std::uint32_t index = tag.node();
    const extend_answer said = quorum_.session_of(index).answer_to_extend(tag, reply);
    if (said.what == kind::unknown_form && !closed()) {
        extend_command again = command();
        return send(again, index);
    }
    // In a closed round no vote counts any more.
    if (said.what == kind::error) return fail(index, said.error());
    quorum_.counts().repairs += said.what == kind::put_back;
    const bool votes = said.what == kind::extended ||
                       (planted(core::mistake::repaired_keys_vote) && said.what == kind::put_back);
    vote(index, votes ? core::vote::yes : core::vote::no);
}

core::verdict renew_round::judge() const noexcept { return votes().decide_on_certainty(); }

} // namespace redlock::redis
