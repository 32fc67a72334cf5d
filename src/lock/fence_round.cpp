#include "lock/fence_round.hpp"

#include "lock/server_error.hpp"

namespace redlock::lock {

namespace {

// For each node. Only others that take the key over, node by node, can make it necessary to ask so often.
constexpr unsigned most_sendings = 8;

} // namespace

void fence_round::propose(const claim& c) {
    begin_with(c);
    proposing_ = true;
    rule_.raised_to(c.proposal);
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        send_proposal(node);
    // Apart from the first loop, so that each command is encoded once.
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        if (!votes().voted(node)) send_expiry(node);
    end_of_sending();
}

void fence_round::advance(const claim& c) {
    begin_with(c);
    advance_all();
    end_of_sending();
}

void fence_round::begin_with(const claim& c) noexcept {
    claim_ = &c;
    ++stage_;
    rule_.restart();
    begin(runtime_.nodes());
}

void fence_round::advance_all() {
    proposing_ = false;
    at_least_ = runtime_.propose_fence();
    sendings_left_ = most_sendings * runtime_.nodes();
    send_advancements(~std::uint64_t{0} >> (64 - runtime_.nodes()));
}

addressee fence_round::back(std::uint32_t node, kind k) noexcept {
    return {.receiver = this, .tag = tag_of(node, stage_ * kinds + k), .deadline = runtime_.deadline()};
}

void fence_round::send_proposal(std::uint32_t node) {
    const addressee to = back(node, proposal);
    const fence_mark mark = runtime_.mark(claim_->proposal);
    sent(to.tag, runtime_.session_of(node).raise_fence(*claim_, mark, to, runtime_.bytes()));
}

void fence_round::send_expiry(std::uint32_t node) {
    const addressee nobody{.receiver = nullptr, .tag = 0, .deadline = runtime_.deadline()};
    const fence_mark mark = runtime_.mark(claim_->proposal);
    runtime_.session_of(node).expire_fence(*claim_, mark, nobody, runtime_.bytes());
}

void fence_round::send_advancements(std::uint64_t nodes) {
    const fence_mark mark = runtime_.mark(at_least_);
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node) {
        if ((nodes >> node & 1) == 0) continue;
        const addressee to = back(node, advancement);
        if (sendings_left_ == 0) {
            fail(node, errc::no_quorum);
            continue;
        }
        --sendings_left_;
        sent(to.tag, runtime_.session_of(node).advance_fence(*claim_, mark, to, runtime_.bytes()));
    }
}

void fence_round::answered(std::uint32_t tag, const resp::reply& reply) {
    // The token of a decided round stays what it is.
    if (!is_current(tag) || verdict() != core::verdict::open) return;
    if (kind_of(tag) % kinds == proposal)
        proposal_answered(node_of(tag), reply);
    else
        advancement_answered(node_of(tag), reply);
}

// A server that does not know the command may know the script.
void fence_round::proposal_answered(std::uint32_t node, const resp::reply& reply) {
    const bool cannot = reply.is(resp::kind::error) && !says_syntax_error(reply.text());
    if (cannot) return fail(node, meaning_of_server_error(reply.text()));
    vote(node, reply.integer() == 1 ? core::vote::yes : core::vote::no);
}

void fence_round::advancement_answered(std::uint32_t node, const resp::reply& reply) {
    session& from = runtime_.session_of(node);
    if (reply.is(resp::kind::error)) {
        if (!says_no_script(reply.text())) return fail(node, meaning_of_server_error(reply.text()));
        from.script_unknown(script::advance_fence);
        return send_advancements(std::uint64_t{1} << node);
    }
    from.script_ran(script::advance_fence);
    if (reply.integer() <= 0) return vote(node, core::vote::no);
    raised(node, static_cast<std::uint64_t>(reply.integer()));
}

void fence_round::raised(std::uint32_t node, std::uint64_t fence) {
    using standing = core::fence_rule::standing;
    const standing found = rule_.raised_to(fence);
    std::uint64_t lagging = 0;
    if (found == standing::lags)
        lagging = std::uint64_t{1} << node;
    else if (found == standing::raises)
        lagging = votes().who(core::vote::yes);
    for (std::uint32_t other = 0; other < runtime_.nodes(); ++other)
        if (lagging >> other & 1) take_back(other);
    at_least_ = rule_.token();
    if (found != standing::lags) vote(node, core::vote::yes);
    if (lagging != 0 && verdict() == core::verdict::open) send_advancements(lagging);
}

void fence_round::unanswered(std::uint32_t tag, errc why) noexcept {
    if (is_current(tag) && verdict() == core::verdict::open) fail(node_of(tag), why);
}

// Some fences were as high as the proposal before: those who hold the key count on from there.
void fence_round::decided() noexcept {
    if (!proposing_ || verdict() != core::verdict::refused) return owner_.raise(decided_event_);
    ++runtime_.counts().fence_retries;
    ++stage_;
    rule_.restart();
    reopen();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        take_back(node);
    advance_all();
    end_of_sending();
}

} // namespace redlock::lock
