#include "engines/redis/quorum/renew_round.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/server_error.hpp"

namespace redlock::lock {

namespace {

// What the script answers.
constexpr std::int64_t extended = 1;
constexpr std::int64_t put_back = 2;

} // namespace

void renew_round::start(const claim& c, std::chrono::milliseconds life, std::uint64_t fencing_token) {
    claim_ = &c;
    life_ = life;
    fencing_token_ = fencing_token;
    sent_at_ = runtime_.now();
    begin(runtime_.nodes());
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        send(node);
    end_of_sending();
}

void renew_round::send(std::uint32_t node) {
    const addressee to{.receiver = this, .tag = node, .deadline = runtime_.deadline()};
    sent(node, runtime_.session_of(node).extend(*claim_, life_, runtime_.mark(fencing_token_), to,
                                                runtime_.bytes()));
}

void renew_round::answered(std::uint32_t node, const resp::reply& reply) {
    session& from = runtime_.session_of(node);
    if (!reply.is(resp::kind::error)) {
        from.script_ran(extension_of(claim_->is_fenced()));
        runtime_.counts().repairs += reply.integer() == put_back;
        const bool votes = reply.integer() == extended ||
                           (planted(core::mistake::repaired_keys_vote) && reply.integer() == put_back);
        return vote(node, votes ? core::vote::yes : core::vote::no);
    }
    if (!says_no_script(reply.text()) || closed()) return fail(node, meaning_of_server_error(reply.text()));
    from.script_unknown(extension_of(claim_->is_fenced()));
    runtime_.bytes().begin();
    send(node);
}

core::verdict renew_round::judge() const noexcept { return votes().decide_on_certainty(); }

} // namespace redlock::lock
