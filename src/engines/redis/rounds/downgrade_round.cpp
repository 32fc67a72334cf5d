#include "engines/redis/rounds/downgrade_round.hpp"

#include <utility>

namespace redlock::redis {

void downgrade_round::start(claim_pointer held, claim_pointer reading, std::chrono::milliseconds life) {
    held_ = std::move(held);
    reading_ = std::move(reading);
    life_ = life;
    sent_at_ = quorum_.now();
    begin(quorum_.nodes());
    downgrade_command command(quorum_.encoder(), *held_, *reading_, life_);
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        send(command, index);
    end_of_sending();
}

void downgrade_round::send(downgrade_command& command, std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag, quorum_.session_of(index).send(command, to));
}

void downgrade_round::answered(reply_tag tag, const resp::reply& reply) {
    using kind = extend_answer::kind;
    const std::uint32_t index = tag.node();
    const extend_answer said = quorum_.session_of(index).answer_to_extend(tag, reply);
    if (said.what == kind::unknown_form && !closed()) {
        downgrade_command again(quorum_.encoder(), *held_, *reading_, life_);
        return send(again, index);
    }
    if (said.what == kind::unknown_form) return fail(index, errc::node_unavailable);
    if (said.what == kind::error) return fail(index, said.error());
    vote(index, said.what == kind::extended ? core::vote::yes : core::vote::no);
}

} // namespace redlock::redis
