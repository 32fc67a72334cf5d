#include "lock/acquire_round.hpp"

#include "lock/server_error.hpp"

#include <bit>
#include <functional>
#include <utility>

namespace redlock::lock {

void acquire_round::start(const claim& c, std::chrono::milliseconds life, std::uint64_t first) {
    const std::uint64_t everyone = all_nodes >> (64 - runtime_.nodes());
    later_try_ = claim_ != nullptr;
    claim_ = &c;
    life_ = life;
    asked_ = 0;
    refused_ = 0;
    rest_ = everyone & ~first;
    rival_ = 0;
    rivals_ = false;
    sent_at_ = runtime_.now();
    begin(runtime_.nodes());
    send(everyone & first);
}

void acquire_round::ask_again(std::uint64_t nodes) {
    nodes &= refused_;
    reopen();
    refused_ &= ~nodes;
    rival_ = 0;
    rivals_ = false;
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        if (nodes >> node & 1) take_back(node);
    send(nodes);
}

void acquire_round::send(std::uint64_t nodes) {
    last_sent_at_ = runtime_.now();
    runtime_.bytes().begin();
    for (std::uint32_t node = 0; node < runtime_.nodes(); ++node)
        if (nodes >> node & 1) send_set(node);
    end_of_sending();
}

core::verdict acquire_round::judge() const noexcept {
    if (rest_ == 0) return votes().decide();
    if (votes().count(core::vote::yes) > 0) return core::verdict::open;
    const unsigned first = runtime_.nodes() - static_cast<unsigned>(std::popcount(rest_));
    return votes().count(core::vote::no) + votes().count(core::vote::failed) < first ? core::verdict::open
                                                                                     : core::verdict::refused;
}

bool acquire_round::is_split() const noexcept {
    return votes().count(core::vote::yes) > 0 &&
           (rivals_ || votes().count(core::vote::no) < core::majority(votes().nodes()));
}

addressee acquire_round::back(std::uint32_t node, kind k) noexcept {
    return {.receiver = this, .tag = tag_of(node, k), .deadline = runtime_.deadline()};
}

void acquire_round::send_set(std::uint32_t node) {
    session& to = runtime_.session_of(node);
    const kind k = to.set_returns_holder() ? set_returning_holder : set_plain;
    const errc refusal = to.set(*claim_, life_, back(node, k), runtime_.bytes());
    if (refusal == errc{}) {
        asked_ |= std::uint64_t{1} << node;
        claim_->asked_since_release |= std::uint64_t{1} << node;
    }
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
    const bool ours = k == set_returning_holder && claim_->owns(holder);
    // A server that cannot name the holder is asked by the script, once an earlier try may have left our key
    // there.
    const bool unknown = k == set_plain && later_try_;
    if ((ours || unknown) && !closed()) return extend(node);
    note_rival(k == set_returning_holder ? holder : std::string_view());
    refuse(node);
}

void acquire_round::set_failed(std::uint32_t node, kind k, std::string_view text) {
    if (k == set_returning_holder && says_syntax_error(text) && !closed()) {
        runtime_.session_of(node).set_cannot_return_holder();
        runtime_.bytes().begin();
        return send_set(node);
    }
    refused_ |= std::uint64_t{1} << node;
    give_up_on(node, meaning_of_server_error(text));
}

void acquire_round::extend(std::uint32_t node) {
    runtime_.bytes().begin();
    sent(tag_of(node, extend_own),
         runtime_.session_of(node).extend(*claim_, life_, runtime_.mark(claim_->proposal),
                                          back(node, extend_own), runtime_.bytes()));
}

void acquire_round::extend_answered(std::uint32_t node, const resp::reply& reply) {
    session& from = runtime_.session_of(node);
    if (reply.is(resp::kind::error)) {
        if (!says_no_script(reply.text()) || closed())
            return give_up_on(node, meaning_of_server_error(reply.text()));
        from.script_unknown(extension_of(claim_->is_fenced()));
        return extend(node);
    }
    from.script_ran(extension_of(claim_->is_fenced()));
    // 2 is a key that had run out in between and was put there by this very command: as good as a SET of this
    // round.
    if (reply.integer() != 0)
        take(node);
    else
        refuse(node);
}

void acquire_round::note_rival(std::string_view holder) noexcept {
    const std::size_t name = std::hash<std::string_view>()(holder) | 1;
    rivals_ |= holder.empty() || (rival_ != 0 && rival_ != name);
    rival_ = name;
}

void acquire_round::take(std::uint32_t node) noexcept {
    // What comes after the end of the round is given back, or was.
    if (sight_) closed() ? sight_->taken(node) : sight_->ours(node);
    vote(node, core::vote::yes);
    if (rest_ == 0 || closed()) return;
    reopen();
    send(std::exchange(rest_, 0));
}

void acquire_round::refuse(std::uint32_t node) noexcept {
    refused_ |= std::uint64_t{1} << node;
    if (sight_) {
        sight_->taken(node);
        // Whoever has the vote of the first node is about to have the others.
        for (std::uint32_t other = 0; other < runtime_.nodes(); ++other)
            if (rest_ >> other & 1) sight_->taken(other);
    }
    vote(node, core::vote::no);
}

// Whatever the key does there, this node is of no help.
void acquire_round::give_up_on(std::uint32_t node, errc why) noexcept {
    if (sight_) sight_->taken(node);
    fail(node, why);
}

} // namespace redlock::lock
