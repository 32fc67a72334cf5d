#include "lock/acquire_round.hpp"

#include "lock/server_error.hpp"

#include <algorithm>

namespace redlock::lock {

void acquire_round::start(const claim& c, std::chrono::milliseconds life, core::availability* sight) {
    claim_ = &c;
    life_ = life;
    sight_ = sight;
    asked_ = 0;
    refused_ = 0;
    sent_at_ = runtime_.now();
    begin(runtime_.nodes());
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        send_set(node);
    end_of_sending();
}

addressee acquire_round::back(std::uint32_t node, kind k) noexcept {
    return {.receiver = this, .tag = tag_of(node, k), .deadline = runtime_.deadline()};
}

void acquire_round::send_set(std::uint32_t node) {
    session& to = runtime_.session_of(node);
    const kind k = to.set_returns_holder() ? set_returning_holder : set_plain;
    const errc refusal = to.set(*claim_, life_, back(node, k), runtime_.bytes());
    if (refusal == errc{}) asked_ |= std::uint64_t{1} << node;
    sent(tag_of(node, k), refusal);
}

void acquire_round::answered(std::uint32_t tag, const resp::reply& reply) {
    const auto k = static_cast<kind>(kind_of(tag));
    switch (k) {
    case set_returning_holder:
    case set_plain:
        return set_answered(node_of(tag), k, reply);
    case extend_own:
        return extend_answered(node_of(tag), reply);
    }
}

void acquire_round::set_answered(std::uint32_t node, kind k, const resp::reply& reply) {
    if (reply.is(resp::kind::error)) return set_failed(node, k, reply.text());
    if (reply.is_ok() || (k == set_returning_holder && reply.is(resp::kind::null))) return take(node);
    recognise_holder(node, k, reply.text());
}

void acquire_round::recognise_holder(std::uint32_t node, kind k, std::string_view holder) {
    const bool ours = k == set_returning_holder && holder == claim_->token.text();
    // A server that cannot name the holder is asked by the script, once an earlier try may have left our key
    // there.
    const bool unknown = k == set_plain && sight_;
    if ((ours || unknown) && !closed())
        extend(node);
    else
        refuse(node);
}

void acquire_round::set_failed(std::uint32_t node, kind k, std::string_view text) {
    if (k == set_returning_holder && says_syntax_error(text) && !closed()) {
        runtime_.session_of(node).set_cannot_return_holder();
        runtime_.bytes().begin();
        return send_set(node);
    }
    refused_ |= std::uint64_t{1} << node;
    fail(node, meaning_of_server_error(text));
}

void acquire_round::extend(std::uint32_t node) {
    runtime_.bytes().begin();
    sent(tag_of(node, extend_own),
         runtime_.session_of(node).extend(*claim_, life_, back(node, extend_own), runtime_.bytes()));
}

void acquire_round::extend_answered(std::uint32_t node, const resp::reply& reply) {
    session& from = runtime_.session_of(node);
    if (reply.is(resp::kind::error)) {
        if (!says_no_script(reply.text()) || closed())
            return fail(node, meaning_of_server_error(reply.text()));
        from.script_unknown(script::extend);
        return extend(node);
    }
    from.script_ran(script::extend);
    // 2 is a key that had run out in between and was put there by this very command: as good as a SET of this
    // round.
    if (reply.integer() != 0)
        take(node);
    else
        refuse(node);
}

// Ours or another's, it is taken. Should ours be given back, that will be told like any other change.
void acquire_round::take(std::uint32_t node) noexcept {
    if (sight_) sight_->taken(node);
    vote(node, core::vote::yes);
}

void acquire_round::refuse(std::uint32_t node) noexcept {
    if (sight_) sight_->taken(node);
    refused_ |= std::uint64_t{1} << node;
    vote(node, core::vote::no);
}

} // namespace redlock::lock
