#include "engines/redis/quorum/acquire_round.hpp"

#include "engines/redis/dialect/server_error.hpp"

#include <functional>
#include <utility>

namespace redlock::redis {

namespace {

/// Whether a server that answers so to a proposal will do so again.
bool is_for_good(std::string_view error) noexcept {
    return says_syntax_error(error) || meaning_of_server_error(error) == errc::permission_denied;
}

} // namespace

void acquire_round::start(const claim& c, std::chrono::milliseconds life, core::node_set first) {
    const core::node_set everyone = quorum_.every_node();
    claim_ = &c;
    life_ = life;
    asked_ = {};
    sent_at_ = quorum_.now();
    const bool partial = !(everyone - first).empty();
    if (contest_ || partial) {
        contest& seen = contested();
        seen.refused = {};
        seen.rest = everyone - first;
        seen.rival = 0;
        seen.rivals = false;
    }
    begin(quorum_.nodes(), partial);
    send(first);
}

void acquire_round::ask_again(core::node_set nodes) {
    nodes &= contested().refused;
    proposes_ = false; // whoever has waited asks for a token once the key is his
    reopen();
    contest_->refused -= nodes;
    contest_->rival = 0;
    contest_->rivals = false;
    for (const std::uint32_t index : nodes)
        take_back(index);
    send(nodes);
}

void acquire_round::send(core::node_set nodes) {
    if (contest_) contest_->sent_at = quorum_.now();
    quorum_.bytes().begin();
    if (nodes == quorum_.every_node()) nodes -= send_to_all();
    for (const std::uint32_t index : nodes)
        send_set(index);
    end_of_sending();
}

// Gives those that took it, and need not be asked one by one.
core::node_set acquire_round::send_to_all() {
    session* const any = quorum_.session_of_all();
    if (!any) return {};
    const addressee to = back(0, form_of_set(*any));
    const core::node_set takers = any->set_on_all(*claim_, life_, to, quorum_.bytes(), quorum_.all_nodes());
    asked_ |= takers;
    sent_to(takers);
    return takers;
}

core::verdict acquire_round::judge() const noexcept {
    if (proposes_) return judge_with_proposal();
    if (!partial_) return votes().decide();
    if (votes().count(core::vote::yes) > 0) return core::verdict::open;
    const unsigned first = quorum_.nodes() - contest_->rest.size();
    return votes().count(core::vote::no) + votes().count(core::vote::failed) < first ? core::verdict::open
                                                                                     : core::verdict::refused;
}

core::verdict acquire_round::judge_with_proposal() const noexcept {
    const core::verdict by_votes = votes().decide();
    const unsigned needed = core::majority(votes().nodes());
    const bool waits = raised_ < needed && raisable_ >= needed;
    return waits && by_votes == core::verdict::granted ? core::verdict::open : by_votes;
}

// With a proposal, how long a grant took was seen when the key was ours: a slower node may hold up the token.
void acquire_round::decided() noexcept {
    if (!proposes_ || verdict() != core::verdict::granted) quorum_.learn(verdict(), last_sent_at());
    detachable_round::decided();
}

addressee acquire_round::back(std::uint32_t index, kind k) noexcept {
    return {.receiver = this, .tag = reply_tag::of(index, k), .deadline = quorum_.deadline()};
}

acquire_round::kind acquire_round::form_of_set(const session& to) noexcept {
    return to.set_returns_holder() ? set_returning_holder : set_plain;
}

void acquire_round::send_set(std::uint32_t index) {
    session& to = quorum_.session_of(index);
    const kind k = form_of_set(to);
    const errc refusal = to.set(*claim_, life_, back(index, k), quorum_.bytes());
    if (refusal == errc{}) asked_.add(index);
    sent(reply_tag::of(index, k), refusal);
}

// As in any round; but here the compiler knows whose `answered` it is.
void acquire_round::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    answered(tag, reply);
    if (is_last_but_one()) fetch_end_ahead();
    one_less();
}

void acquire_round::answered(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    const auto k = tag.kind<kind>();
    if (k == proposal) {
        if (reply.is(resp::kind::error) && is_for_good(reply.text()))
            quorum_.session_of(index).set_cannot_raise_fence();
        return proposal_answered(reply.integer() == 1);
    }
    if (reply.is(resp::kind::error)) return set_failed(index, k, reply.text());
    const bool returns_holder = k == set_returning_holder;
    if (reply.is_ok() || (returns_holder && reply.is(resp::kind::null))) return take(index);
    note_rival(returns_holder ? reply.text() : std::string_view());
    refuse(index);
}

void acquire_round::set_failed(std::uint32_t index, kind k, std::string_view text) {
    if (k == set_returning_holder && says_syntax_error(text) && !closed()) {
        quorum_.session_of(index).set_cannot_return_holder();
        quorum_.bytes().begin();
        return send_set(index);
    }
    contested().refused.add(index);
    give_up_on(index, meaning_of(index, text));
}

void acquire_round::note_rival(std::string_view holder) {
    const std::size_t name = std::hash<std::string_view>()(holder) | 1;
    contest& seen = contested();
    seen.rivals |= holder.empty() || (seen.rival != 0 && seen.rival != name);
    seen.rival = name;
    if (noted_ && !holder.empty()) seen.sight->refused_for(name);
}

void acquire_round::take(std::uint32_t index) noexcept {
    // What comes after the end of the round is given back, or was.
    if (noted_) closed() ? contest_->sight->taken(index) : contest_->sight->ours(index);
    vote(index, core::vote::yes);
    const unsigned yes = votes().count(core::vote::yes);
    const unsigned needed = core::majority(votes().nodes());
    const bool has_majority = yes == needed;
    if (yes < needed) fetch_ahead(needed - yes);
    if (proposes_ && has_majority && !closed()) quorum_.learn(core::verdict::granted, last_sent_at());
    if (!partial_ || closed()) return;
    reopen();
    partial_ = false;
    send(std::exchange(contest_->rest, {}));
}

void acquire_round::refuse(std::uint32_t index) {
    contest& seen = contested();
    seen.refused.add(index);
    if (noted_) {
        seen.sight->taken(index);
        // Whoever has the vote of the first node is about to have the others.
        for (const std::uint32_t other : seen.rest)
            seen.sight->taken(other);
    }
    vote(index, core::vote::no);
}

void acquire_round::unanswered(reply_tag tag, errc why) noexcept {
    if (tag.kind<kind>() == proposal)
        proposal_answered(false);
    else
        give_up_on(tag.node(), why);
}

// Whatever the key does there, this node is of no help.
void acquire_round::give_up_on(std::uint32_t index, errc why) noexcept {
    if (noted_) contest_->sight->taken(index);
    fail(index, why);
}

void acquire_round::propose_token() {
    if (verdict() != core::verdict::open) return;
    proposes_ = true;
    raised_ = 0;
    raisable_ = static_cast<std::uint8_t>(quorum_.nodes());
    one_more();
    quorum_.proposals().add(*this);
}

core::node_set acquire_round::send_proposal(core::node_set nodes) {
    if (closed()) return {}; // given back already, or about to be
    raisable_ = static_cast<std::uint8_t>(nodes.size());
    quorum_.bytes().begin();
    for (const std::uint32_t index : nodes) {
        const addressee to = back(index, proposal);
        const errc refusal = quorum_.session_of(index).raise_fence(*claim_, to, quorum_.bytes());
        if (refusal != errc{}) nodes.remove(index);
        sent(to.tag, refusal);
    }
    return nodes;
}

bool acquire_round::send_fence_life(core::node_set nodes) {
    bool accepted = true;
    quorum_.bytes().begin();
    for (const std::uint32_t index : nodes) {
        const addressee nobody{.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline()};
        session& to = quorum_.session_of(index);
        accepted &= to.expire_fence(*claim_, quorum_.fence_span(), nobody, quorum_.bytes()) == errc{};
    }
    return accepted;
}

// An error is a no: the script that is asked next may know better, or says it again.
void acquire_round::proposal_answered(bool raised) noexcept {
    if (raised)
        ++raised_;
    else
        --raisable_;
    consider();
}

} // namespace redlock::redis
