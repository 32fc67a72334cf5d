#include "engines/redis/rounds/release.hpp"

#include "core/mistake.hpp"
#include "core/queue/queued_contender.hpp"
#include "engines/redis/queue/hand_overs.hpp"
#include "engines/redis/rounds/round_failure.hpp"

#include <cstdint>

namespace redlock::redis {

void release::start(redis::quorum& r, std::shared_ptr<const claim> c, core::node_set nodes,
                    time::instant until, turn::outcome_waiters&& unlockers, bool lost, bool held) {
    // They come first, also where the key is free for a moment and this client wants it again at once.
    if (c->others_wait()) r.contests().given_back(c->full_key, c->row.is_over(r.now()), r.now());
    // Its entry may still stand in the queue of a node that had no part in the grant, and be handed the key
    // there.
    if (c->waited_for) until = core::saturating_add(until, core::longest_belief);
    r.before_release(c->full_key);
    auto* self = new release(r, std::move(c), until, std::move(unlockers), lost, held);
    r.releases().push_back(*self);
    self->send_all(nodes);
    if (self->settled()) delete self;
}

void release::start_with_others(redis::quorum& r, std::shared_ptr<const claim> c, time::instant until,
                                turn::outcome_waiters&& unlockers, bool lost) {
    // The command for several knows no token that is followed by something, and shall be short.
    constexpr std::size_t longest_key = 256;
    if (c->retold || c->waited_for || c->reads() || c->leads() || c->full_key.view().size() > longest_key ||
        planted(core::mistake::delete_without_compare))
        return start(r, std::move(c), r.every_node(), until, std::move(unlockers), lost, true);
    auto* self = new release(r, std::move(c), until, std::move(unlockers), lost, true);
    r.releases().push_back(*self);
    r.pending_releases().add(*self);
}

void release::send_everywhere() {
    send_all(quorum_.every_node());
    if (settled()) delete this;
}

void release::begin_sending() { begin(quorum_.nodes()); }

release_command release::command() const {
    const core::open_door* const door = held_ ? quorum_.doors().find(claim_->full_key) : nullptr;
    return {quorum_.encoder(), *claim_, quorum_.now(), door};
}

void release::send_alone(std::uint32_t index) {
    release_command command = this->command();
    send(command, index);
}

void release::all_sent() {
    end_of_sending();
    if (settled()) delete this;
}

// Where nobody is told that others wait, it shows by a node that somebody else has.
void release::note_taken() noexcept {
    if (held_ && quorum_.hands().are_untold()) quorum_.contests().refused(claim_->full_key, quorum_.now());
}

void release::answered_with_others(std::uint32_t index, bool deleted) {
    if (!deleted) note_taken();
    vote(index, deleted ? core::vote::yes : core::vote::no);
    one_less();
}

void release::failed_with_others(std::uint32_t index, errc why) {
    unanswered(reply_tag::of(index), why);
    one_less();
}

void release::refused_with_others(std::uint32_t index, const server_error& error) {
    refused(reply_tag::of(index), error);
    one_less();
}

void release::goes_alone(std::uint32_t index) {
    send_alone(index);
    one_less();
}

void release::send_all(core::node_set nodes) {
    begin(quorum_.nodes());
    release_command command = this->command();
    if (const leader_info* const told = proclaimed_by(*claim_))
        for (const std::uint32_t index : nodes)
            withdraw(index, told->mark.term);
    else if (nodes == quorum_.every_node())
        nodes -= send_to_all(command);
    for (const std::uint32_t index : nodes)
        send(command, index);
    end_of_sending();
}

// Gives those that took it, and need not be told one by one.
core::node_set release::send_to_all(release_command& command) {
    session* const any = quorum_.session_of_all();
    if (!any) return {};
    const addressee back{.receiver = this, .tag = {}, .deadline = quorum_.deadline()};
    const core::node_set takers = any->send_to_all(command, back, quorum_.all_nodes());
    sent_to(takers);
    return takers;
}

void release::send(release_command& command, std::uint32_t index) {
    const addressee back{
        .receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline(), .cleanup = true};
    sent(back.tag, quorum_.session_of(index).send(command, back));
}

// Before the key is given back on the same connection, so that nobody leads without it: what answers the
// release has done this, and where it is repeated so is this.
void release::withdraw(std::uint32_t index, std::uint64_t term) {
    withdraw_command command(quorum_.encoder(), claim_->full_key, term);
    quorum_.session_of(index).send(
        command, {.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline(), .cleanup = true});
}

void release::answered(reply_tag tag, const resp::reply& reply) {
    using kind = release_answer::kind;
    const std::uint32_t index = tag.node();
    const release_answer said = quorum_.session_of(index).answer_to_release(tag, reply);
    if (said.what >= kind::unknown_form) [[unlikely]]
        return refused(tag, said);
    if (said.what != kind::deleted) note_taken();
    vote(index, said.what == kind::deleted ? core::vote::yes : core::vote::no);
}

void release::refused(reply_tag tag, release_answer said) {
    if (said.what == release_answer::kind::unknown_form) {
        // The other one gives the key away, and who sent this again would find it no longer ours.
        if (followed_.has(tag.node())) return vote(tag.node(), core::vote::yes);
        release_command again = command();
        return send(again, tag.node());
    }
    refused(tag, said.error());
}

void release::refused(reply_tag tag, const server_error& error) {
    if (!says_for_the_moment(error.meaning)) return fail(tag.node(), error);
    keep(tag.node(), error);
    unanswered(tag, errc::node_unavailable);
}

void release::unanswered(reply_tag tag, errc why) noexcept {
    quorum_.owe(tag.node(), {.owed = claim_, .until = until_, .written = why == errc::node_timeout});
    fail(tag.node(), why);
}

core::verdict release::judge() const noexcept {
    using core::verdict;
    if (votes().count(core::vote::yes) >= core::majority(votes().nodes())) return verdict::granted;
    if (votes().definitely_no()) return verdict::refused;
    if (votes().pending() > 0) return verdict::open;
    return votes().answered_by_majority() ? verdict::granted : verdict::unreachable;
}

void release::decided() noexcept {
    if (unlockers_.empty()) return;
    const errc e = lost_ ? errc::lease_lost : outcome();
    if (e == errc{}) return turn::answer_all(unlockers_, turn::success);
    if (e == errc::no_quorum)
        return turn::answer_all(unlockers_, make_error_code(e), round_failure(quorum_, *this));
    turn::answer_all(unlockers_, make_error_code(e));
}

errc release::outcome() const noexcept {
    switch (verdict()) {
    case core::verdict::granted:
        return errc{};
    case core::verdict::refused:
        return errc::lease_lost;
    default:
        return errc::no_quorum;
    }
}

void release::all_settled() noexcept { delete this; }

} // namespace redlock::redis
