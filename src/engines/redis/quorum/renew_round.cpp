#include "engines/redis/quorum/renew_round.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/server_error.hpp"

#include <utility>

namespace redlock::redis {

namespace {

// What the script answers.
constexpr std::int64_t extended = 1;
constexpr std::int64_t put_back = 2;

} // namespace

void renew_round::start(claim_pointer c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    claim_ = std::move(c);
    life_ = life;
    fencing_token_ = fencing_token;
    sent_at_ = quorum_.now();
    begin(quorum_.nodes());
    quorum_.bytes().begin();
    for (std::uint32_t index = 0; index < quorum_.nodes(); ++index)
        send(index);
    end_of_sending();
}

void renew_round::send(std::uint32_t index) {
    const addressee to{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    sent(to.tag,
         quorum_.session_of(index).extend(*claim_, life_, quorum_.mark(fencing_token_), to, quorum_.bytes()));
}

void renew_round::answered(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    session& from = quorum_.session_of(index);
    if (!reply.is(resp::kind::error)) {
        from.script_ran(extension_of(claim_->is_fenced()));
        quorum_.counts().repairs += reply.integer() == put_back;
        const bool votes = reply.integer() == extended ||
                           (planted(core::mistake::repaired_keys_vote) && reply.integer() == put_back);
        return vote(index, votes ? core::vote::yes : core::vote::no);
    }
    if (!says_no_script(reply.text()) || closed()) return fail(index, meaning_of(index, reply.text()));
    from.script_unknown(extension_of(claim_->is_fenced()));
    quorum_.bytes().begin();
    send(index);
}

core::verdict renew_round::judge() const noexcept { return votes().decide_on_certainty(); }

} // namespace redlock::redis
