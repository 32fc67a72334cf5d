#include "lock/fence_round.hpp"

#include "core/mistake.hpp"
#include "lock/server_error.hpp"

#include <bit>
#include <functional>

namespace redlock::lock {

namespace {

// For each node. Only others that take the key over, node by node, can make it necessary to ask so often.
constexpr unsigned most_sendings = 8;

} // namespace

void fence_round::propose(const claim& c) {
    begin_with(c);
    proposing_ = true;
    rule_.raised_to(c.proposal);
    const std::uint64_t key_hash = std::hash<std::string>()(c.full_key);
    asked_ = least_majority(key_hash);
    runtime_.bytes().begin();
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index)
        if (asked_ >> index & 1) send_proposal(index);
    const std::uint64_t untold =
        runtime_.fences().untold(key_hash, asked_ & ~votes().who(core::vote::failed), runtime_.now());
    // Apart from the first loop, so that each command is encoded once.
    runtime_.bytes().begin();
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index)
        if (untold >> index & 1) send_life(index);
    end_of_sending();
}

// Those that take requests, another set for each key; all, when they are too few. The fences of the others
// are needed only when one of these fails or was raised by somebody else.
std::uint64_t fence_round::least_majority(std::uint64_t key_hash) const {
    const unsigned nodes = runtime_.nodes();
    const std::uint64_t everyone = ~std::uint64_t{0} >> (64 - nodes);
    const auto first = static_cast<std::uint32_t>(key_hash % nodes);
    std::uint64_t chosen = 0;
    unsigned missing = core::majority(nodes);
    for (std::uint32_t i = 0; i < nodes && missing > 0; ++i) {
        const std::uint32_t index = (first + i) % nodes;
        if (!runtime_.session_of(index).is_ready()) continue;
        chosen |= std::uint64_t{1} << index;
        --missing;
    }
    return missing > 0 ? everyone : chosen;
}

core::verdict fence_round::judge() const noexcept {
    using core::verdict;
    if (!proposing_) return votes().decide();
    if (votes().count(core::vote::yes) >= core::majority(votes().nodes())) return verdict::granted;
    const std::uint64_t in_vain = votes().who(core::vote::no) | votes().who(core::vote::failed);
    return static_cast<unsigned>(std::popcount(asked_ & ~in_vain)) < core::majority(votes().nodes())
               ? verdict::refused
               : verdict::open;
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

addressee fence_round::back(std::uint32_t index, kind k) noexcept {
    return {.receiver = this, .tag = tag_of(index, stage_ * kinds + k), .deadline = runtime_.deadline()};
}

void fence_round::send_proposal(std::uint32_t index) {
    const addressee to = back(index, proposal);
    const fence_mark mark = runtime_.mark(claim_->proposal);
    sent(to.tag, runtime_.session_of(index).raise_fence(*claim_, mark, to, runtime_.bytes()));
}

void fence_round::send_life(std::uint32_t index) {
    const addressee nobody{.receiver = nullptr, .tag = 0, .deadline = runtime_.deadline()};
    runtime_.session_of(index).expire_fence(*claim_, runtime_.mark(claim_->proposal), nobody,
                                            runtime_.bytes());
}

void fence_round::send_advancements(std::uint64_t nodes) {
    const fence_mark mark = runtime_.mark(at_least_);
    runtime_.bytes().begin();
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index) {
        if ((nodes >> index & 1) == 0) continue;
        const addressee to = back(index, advancement);
        if (sendings_left_ == 0) {
            fail(index, errc::no_quorum);
            continue;
        }
        --sendings_left_;
        sent(to.tag, runtime_.session_of(index).advance_fence(*claim_, mark, to, runtime_.bytes()));
    }
}

void fence_round::answered(std::uint32_t tag, const resp::reply& reply) {
    // Also from a straggler: the next proposal is to be above what that node has.
    const bool advanced = kind_of(tag) % kinds == advancement && reply.integer() > 0;
    if (advanced) runtime_.fence_seen(static_cast<std::uint64_t>(reply.integer()));
    // The token of a decided round stays what it is, and nobody waits for that of a closed one.
    if (closed() || !is_current(tag) || verdict() != core::verdict::open) return;
    if (kind_of(tag) % kinds == proposal)
        proposal_answered(node_of(tag), reply);
    else
        advancement_answered(node_of(tag), reply);
}

// A server that does not know the command may know the script.
void fence_round::proposal_answered(std::uint32_t index, const resp::reply& reply) {
    const bool cannot = reply.is(resp::kind::error) && !says_syntax_error(reply.text());
    if (cannot) return fail(index, meaning_of_server_error(reply.text()));
    vote(index, reply.integer() == 1 ? core::vote::yes : core::vote::no);
}

void fence_round::advancement_answered(std::uint32_t index, const resp::reply& reply) {
    session& from = runtime_.session_of(index);
    if (reply.is(resp::kind::error)) {
        if (!says_no_script(reply.text())) return fail(index, meaning_of_server_error(reply.text()));
        from.script_unknown(script::advance_fence);
        return send_advancements(std::uint64_t{1} << index);
    }
    from.script_ran(script::advance_fence);
    if (reply.integer() <= 0) return vote(index, core::vote::no);
    raised(index, static_cast<std::uint64_t>(reply.integer()));
}

void fence_round::raised(std::uint32_t index, std::uint64_t fence) {
    using standing = core::fence_rule::standing;
    standing found = standing::agrees;
    const bool above = rule_.token() != 0 && fence > rule_.token();
    if (!(planted(core::mistake::higher_fence_agrees) && above)) found = rule_.raised_to(fence);
    if (planted(core::mistake::no_write_back)) found = standing::agrees;
    std::uint64_t lagging = 0;
    if (found == standing::lags)
        lagging = std::uint64_t{1} << index;
    else if (found == standing::raises)
        lagging = votes().who(core::vote::yes);
    for (std::uint32_t other = 0; other < runtime_.nodes(); ++other)
        if (lagging >> other & 1) take_back(other);
    at_least_ = rule_.token();
    if (found != standing::lags) vote(index, core::vote::yes);
    if (lagging != 0 && verdict() == core::verdict::open) send_advancements(lagging);
}

void fence_round::unanswered(std::uint32_t tag, errc why) noexcept {
    if (is_current(tag) && verdict() == core::verdict::open) fail(node_of(tag), why);
}

// Some fences were as high as the proposal before, or out of reach: whichever nodes hold the key count on
// from there.
void fence_round::decided() noexcept {
    if (!proposing_ || verdict() != core::verdict::refused) return detachable_round::decided();
    ++runtime_.counts().fence_retries;
    ++stage_;
    rule_.restart();
    reopen();
    for (std::uint32_t index = 0; index < runtime_.nodes(); ++index)
        take_back(index);
    advance_all();
    end_of_sending();
}

} // namespace redlock::lock
