#include "engines/redis/rounds/acquire_round.hpp"

#include <functional>
#include <utility>

namespace redlock::redis {

void acquire_round::start(const claim& c, std::chrono::milliseconds life, core::node_set first) {
    const core::node_set everyone = quorum_.every_node();
    claim_ = &c;
    life_ = life;
    asked_ = {};
    sent_at_ = quorum_.now();
    const bool partial = !(everyone - first).empty();
    if (rivalry_ || partial) {
        rivalry& seen = contested();
        seen.refused = {};
        seen.rest = everyone - first;
        seen.rival = 0;
        seen.rivals = false;
    }
    begin(quorum_.nodes());
    partial_ = partial;
    proposes_ = false;
    send(first);
}

void acquire_round::ask_again(core::node_set nodes) {
    nodes &= contested().refused;
    proposes_ = false; // whoever has waited asks for a token once the key is his
    reopen();
    rivalry_->refused -= nodes;
    rivalry_->rival = 0;
    rivalry_->rivals = false;
    for (const std::uint32_t index : nodes)
        take_back(index);
    send(nodes);
}

void acquire_round::send(core::node_set nodes) {
    if (rivalry_) rivalry_->sent_at = quorum_.now();
    if (!goes_with_others(nodes)) {
        send_to(nodes);
        return end_of_sending();
    }
    one_more(); // until it is sent
    quorum_.pending_reads().add(*this);
}

// Scripts cost a server so much that several had better go as one, which shall be short.
bool acquire_round::goes_with_others(core::node_set nodes) const noexcept {
    constexpr std::size_t longest_key = 256;
    return claim_->reads() && nodes == quorum_.every_node() && claim_->full_key.view().size() <= longest_key;
}

void acquire_round::send_to(core::node_set nodes) {
    set_command command(quorum_.encoder(), *claim_, life_);
    if (nodes == quorum_.every_node()) nodes -= send_to_all(command);
    for (const std::uint32_t index : nodes)
        send_set(command, index);
}

bool acquire_round::ends_unsent() noexcept {
    if (!closed()) return false;
    one_less();
    return true;
}

void acquire_round::send_everywhere() {
    send_to(quorum_.every_node());
    all_sent();
}

void acquire_round::all_sent() {
    end_of_sending();
    one_less();
}

void acquire_round::send_alone(std::uint32_t index) {
    set_command command(quorum_.encoder(), *claim_, life_);
    send_set(command, index);
}

void acquire_round::sent_with_others(std::uint32_t index, errc refusal) {
    if (refusal == errc{}) asked_.add(index);
    sent(reply_tag::of(index, grant), refusal);
}

void acquire_round::granted_with_others(std::uint32_t index) {
    take(index);
    one_less();
}

void acquire_round::refused_by_holder(std::uint32_t index, std::string_view holder) {
    note_rival(holder);
    refuse(index);
    one_less();
}

void acquire_round::failed_with_others(std::uint32_t index, errc why) {
    give_up_on(index, why);
    one_less();
}

void acquire_round::refused_with_others(std::uint32_t index, const server_error& error) {
    hear(index, error);
    one_less();
}

// Not when it is closed: what was given back already would be taken again.
void acquire_round::goes_alone(std::uint32_t index) {
    if (closed())
        give_up_on(index, errc::node_unavailable);
    else
        send_alone(index);
    one_less();
}

// Gives those that took it, and need not be asked one by one.
core::node_set acquire_round::send_to_all(set_command& command) {
    session* const any = quorum_.session_of_all();
    if (!any) return {};
    const core::node_set takers = any->send_to_all(command, back(0, grant), quorum_.all_nodes());
    asked_ |= takers;
    sent_to(takers);
    return takers;
}

core::verdict acquire_round::judge() const noexcept {
    if (proposes_) return judge_with_proposal();
    if (!partial_) return votes().decide();
    if (votes().count(core::vote::yes) > 0) return core::verdict::open;
    const unsigned first = quorum_.nodes() - rivalry_->rest.size();
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

void acquire_round::send_set(set_command& command, std::uint32_t index) {
    const addressee to = back(index, grant);
    const errc refusal = quorum_.session_of(index).send(command, to);
    if (refusal == errc{}) asked_.add(index);
    sent(to.tag, refusal);
}

void acquire_round::answered(reply_tag tag, const resp::reply& reply) {
    if (tag.kind<kind>() == proposal) return proposal_answered(tag, reply);
    if (grants(tag.form<command_form>(), reply)) {
        if (is_script(tag.form<command_form>())) [[unlikely]]
            quorum_.session_of(tag.node()).answer_to_set(tag, reply); // which then goes by its hash
        return take(tag.node());
    }
    not_granted(tag, reply);
}

void acquire_round::proposal_answered(reply_tag tag, const resp::reply& reply) {
    session& from = quorum_.session_of(tag.node());
    proposal_answered(from.answer_to_raise(tag, reply) == raise_answer::raised);
}

void acquire_round::not_granted(reply_tag tag, const resp::reply& reply) {
    const std::uint32_t index = tag.node();
    const set_answer said = quorum_.session_of(index).answer_to_set(tag, reply);
    if (said.what == set_answer::kind::held) {
        note_rival(said.holder());
        return refuse(index);
    }
    if (said.what == set_answer::kind::unknown_form && !closed()) {
        set_command again(quorum_.encoder(), *claim_, life_);
        return send_set(again, index);
    }
    hear(index, said.error());
}

void acquire_round::hear(std::uint32_t index, const server_error& error) {
    contested().refused.add(index);
    keep(index, error);
    give_up_on(index, error.meaning);
}

void acquire_round::note_rival(std::string_view holder) {
    const std::size_t name = std::hash<std::string_view>()(holder) | 1;
    rivalry& seen = contested();
    seen.rivals |= holder.empty() || (seen.rival != 0 && seen.rival != name);
    seen.rival = name;
    if (seen.sight && !holder.empty()) seen.sight->refused_for(name);
}

void acquire_round::take(std::uint32_t index) noexcept {
    // What comes after the end of the round is given back, or was.
    if (sight()) closed() ? sight()->taken(index) : sight()->ours(index);
    vote(index, core::vote::yes);
    const unsigned yes = votes().count(core::vote::yes);
    const unsigned needed = core::majority(votes().nodes());
    const bool has_majority = yes == needed;
    if (proposes_ && has_majority && !closed()) quorum_.learn(core::verdict::granted, last_sent_at());
    if (!partial_ || closed()) return;
    reopen();
    partial_ = false;
    send(std::exchange(rivalry_->rest, {}));
}

void acquire_round::refuse(std::uint32_t index) {
    rivalry& seen = contested();
    seen.refused.add(index);
    if (seen.sight) {
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
    if (sight()) sight()->taken(index);
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
    raise_fence_command command(quorum_.encoder(), *claim_);
    for (const std::uint32_t index : nodes) {
        const addressee to = back(index, proposal);
        const errc refusal = quorum_.session_of(index).send(command, to);
        if (refusal != errc{}) nodes.remove(index);
        sent(to.tag, refusal);
    }
    return nodes;
}

bool acquire_round::send_fence_life(core::node_set nodes) {
    bool accepted = true;
    expire_fence_command command(quorum_.encoder(), *claim_, quorum_.fence_span());
    for (const std::uint32_t index : nodes) {
        const addressee nobody{.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline()};
        accepted &= quorum_.session_of(index).send(command, nobody) == errc{};
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
