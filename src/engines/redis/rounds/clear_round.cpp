#include "engines/redis/rounds/clear_round.hpp"

#include "core/mistake.hpp"

#include <algorithm>
#include <utility>

namespace redlock::redis {

void clear_round::start(claim_pointer c, std::chrono::milliseconds life, core::node_set put_back) {
    claim_ = std::move(c);
    life_ = life;
    sent_at_ = quorum_.now();
    gone_ = {};
    missing_ = {};
    put_back_ = put_back;
    next_end_ = core::nanoseconds::max();
    begin(quorum_.nodes());
    clear_command command(quorum_.encoder(), *claim_, life_, false);
    for (const std::uint32_t index : quorum_.every_node() - put_back)
        send(command, index);
    for (const std::uint32_t index : put_back)
        send(index);
    end_of_sending();
}

void clear_round::send(std::uint32_t index) {
    clear_command command(quorum_.encoder(), *claim_, life_, put_back_.has(index));
    send(command, index);
}

void clear_round::send(clear_command& command, std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag, quorum_.session_of(index).send(command, to));
}

void clear_round::answered(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    switch (quorum_.session_of(index).answer_to_clear(tag, reply)) {
    case clear_answer::clear:
        return vote(index, core::vote::yes);
    case clear_answer::not_ours:
        gone_.add(index);
        return vote(index, core::vote::no);
    case clear_answer::missing:
        missing_.add(index);
        return vote(index, core::vote::no);
    case clear_answer::others_read:
        next_end_ = std::min<core::nanoseconds>(next_end_, time_of_readers(reply));
        return vote(index, planted(core::mistake::read_nodes_drained) ? core::vote::yes : core::vote::no);
    case clear_answer::unknown_form:
        if (closed()) return fail(index, errc::node_unavailable);
        return send(index);
    case clear_answer::error:
        return fail(index, read_error(reply));
    }
}

} // namespace redlock::redis
