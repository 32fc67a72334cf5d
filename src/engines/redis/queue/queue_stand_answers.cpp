// What nodes answer to one that stands in their queues.

#include "engines/redis/queue/hand_overs.hpp"
#include "engines/redis/queue/queue_stand.hpp"

namespace redlock::redis {

namespace {

// Whether a refusal is that of any key and at any time: a right or a command is missing. Others tell of one
// key or of one hour (a type, memory).
bool says_of_the_client(errc meaning) noexcept {
    return meaning == errc::permission_denied || meaning == errc::server_error;
}

} // namespace

void queue_stand::answered(std::uint32_t index, const queue_answer& said) {
    using kind = queue_answer::kind;
    const time::instant now = quorum_.now();
    switch (said.what) {
    case kind::ours:
        return ours(index, said);
    case kind::held:
        return held(index, said);
    case kind::open:
        return open(index, said);
    case kind::unknown_form:
        return send(index);
    case kind::useless:
        return useless(index);
    case kind::error:
        rule_.failed(index, now);
        return refused(index, said.words);
    }
}

void queue_stand::ours(std::uint32_t index, const queue_answer& said) {
    if (const auto first = core::read_token(said.first_waiting)) {
        quorum_.ticket_seen(first->ticket);
        claim_->note_waiting(first->ticket);
    }
    rule_.is_ours(index, rule_.sent_to(index));
}

// Nobody can tell who has the key. One that need not be told may still be served.
void queue_stand::useless(std::uint32_t index) {
    rule_.failed(index, quorum_.now());
    if (quorum_.hands().is_untold(index))
        quorum_.session_of(index).set_hearing(session::hearing::refused);
    else
        quorum_.hands().cannot_tell(index);
}

// For how long the key was handed on before is told to those alone who are told that it is theirs. Any time
// is as likely as another: so it is free for a moment as often as if it were told.
void queue_stand::note_untold_row() {
    if (!quorum_.hands().are_untold()) return;
    const core::nanoseconds before =
        quorum_.random().between(core::nanoseconds::zero(), core::handover_row::longest);
    claim_->row.handed(before, quorum_.settings().handoff_limit, quorum_.now());
}

// Whoever was told of the door knows how long it was, should it find that a stranger has come through it.
void queue_stand::open(std::uint32_t index, const queue_answer& said) {
    ahead_ = said.ahead;
    quorum_.doors().at(claim_->full_key).told_of_door(*said.strangers, quorum_.now());
    rule_.is_open(index, said.open_for, said.ahead, view());
}

void queue_stand::held(std::uint32_t index, const queue_answer& said) {
    const auto by = core::read_token(said.holder);
    if (by) quorum_.ticket_seen(by->ticket);
    ahead_ = said.ahead;
    const bool endless = said.left == std::chrono::milliseconds::max();
    rule_.is_held(index,
                  {.ticket = by ? by->ticket : 0,
                   .name = name_of(by ? by->token : said.holder),
                   .left = endless ? core::nanoseconds::max() : core::saturating_nanoseconds(said.left),
                   .ahead = said.ahead},
                  quorum_.now());
    if (!by) stranger_seen(said);
    // Of one that came to a few nodes nothing depends on when it is gone.
    if (!said.holder_told && (by || rule_.is_held_by_stranger()) && !quorum_.hands().is_untold(index))
        listener_->holder_is_deaf();
    if (said.cannot_tell) quorum_.hands().cannot_tell(index);
}

void queue_stand::stranger_seen(const queue_answer& said) {
    core::open_door& door = quorum_.doors().at(claim_->full_key);
    if (said.strangers) door.told_of_door(*said.strangers, quorum_.now());
    if (rule_.is_held_by_stranger())
        door.used(quorum_.round_trip(), quorum_.now());
    else
        door.seen(quorum_.round_trip(), quorum_.now());
}

void queue_stand::refused(std::uint32_t index, std::string_view words) {
    const server_error error{.meaning = words.empty() ? errc::protocol_error : meaning_of_server_error(words),
                             .words = words};
    session& s = quorum_.session_of(index);
    s.refused(error, quorum_.now());
    if (says_for_the_moment(error.meaning)) return;
    refused_.add(index);
    if (says_of_the_client(error.meaning)) s.set_hearing(session::hearing::refused);
}

} // namespace redlock::redis
