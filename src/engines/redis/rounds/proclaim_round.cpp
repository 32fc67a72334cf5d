#include "engines/redis/rounds/proclaim_round.hpp"

#include <utility>

namespace redlock::redis {

void proclaim_round::start(claim_pointer c) {
    claim_ = std::move(c);
    begin(quorum_.nodes());
    proclaim_command command(quorum_.encoder(), *claim_);
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        send(command, index);
    end_of_sending();
}

void proclaim_round::send(proclaim_command& command, std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag, quorum_.session_of(index).send(command, to));
}

void proclaim_round::answered(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    switch (quorum_.session_of(index).answer_to_proclaim(tag, reply)) {
    case proclaim_answer::done:
        return vote(index, core::vote::yes);
    case proclaim_answer::not_ours:
        return vote(index, core::vote::no);
    case proclaim_answer::unknown_form: {
        if (closed()) return fail(index, errc::node_unavailable);
        // What is the holder's latest by now: nothing is ever sent behind what came after it.
        proclaim_command again(quorum_.encoder(), *claim_);
        return send(again, index);
    }
    case proclaim_answer::error:
        return fail(index, read_error(reply));
    }
}

} // namespace redlock::redis
