#include "engines/redis/queue/hand_overs.hpp"

#include "core/validity.hpp"
#include "engines/redis/contest/contest.hpp"
#include "engines/redis/queue/queue_stand.hpp"
#include "engines/redis/quorum/quorum.hpp"
#include "engines/redis/rounds/release.hpp"

#include <redlock/detail/pool.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace redlock::redis {

void hand_overs::add(queue_stand& s) { by_token_[s.claim()->token()] = &s; }

void hand_overs::remove(const queue_stand& s) noexcept {
    const auto found = by_token_.find(s.claim()->token());
    if (found != by_token_.end() && found->second == &s) by_token_.erase(found);
}

void hand_overs::listen_everywhere() {
    for (const std::uint32_t index : quorum_.every_node())
        listen(index);
}

bool hand_overs::is_wanted() const noexcept { return quorum_.settings().queues; }

bool hand_overs::is_to_listen() const noexcept {
    return is_wanted() && quorum_.settings().wakeup == wakeup::automatic;
}

bool hand_overs::is_untold(std::uint32_t index) const noexcept {
    const session& s = quorum_.session_of(index);
    if (!is_wanted() || s.hears() == session::hearing::refused) return false;
    return !is_to_listen() || s.hears() == session::hearing::deaf;
}

bool hand_overs::may_enter(std::uint32_t index) const noexcept {
    return is_untold(index) || quorum_.session_of(index).will_hear();
}

bool hand_overs::are_untold() const noexcept {
    unsigned untold = 0;
    for (const std::uint32_t index : quorum_.every_node())
        untold += is_untold(index);
    return untold >= core::majority(quorum_.nodes());
}

bool hand_overs::are_likely() const noexcept {
    if (!is_wanted()) return false;
    unsigned keep = 0;
    for (const std::uint32_t index : quorum_.every_node()) {
        const session& s = quorum_.session_of(index);
        const bool may = s.hears() != session::hearing::refused;
        const bool is_certain = s.hears() == session::hearing::yes || is_untold(index);
        keep += s.listens_apart() ? is_certain : may;
    }
    return keep >= core::majority(quorum_.nodes());
}

// Behind the subscription on its connection, an entry in a queue is one that can be told of. What stands in
// between shows whether the server confirms subscriptions at all.
void hand_overs::listen(std::uint32_t index) {
    session& s = quorum_.session_of(index);
    if (!is_to_listen() || s.hears() != session::hearing::no || !s.is_ready()) return;
    if (s.listens_apart() && s.ear().state() != node::health::ready) return;
    const addressee back{.receiver = this, .tag = reply_tag::of(index), .deadline = quorum_.deadline()};
    if (s.send(hear_command(quorum_.encoder(), quorum_.client_name()), back) != errc{}) return;
    s.set_hearing(session::hearing::asked);
    if (s.listens_apart()) return;
    const addressee nobody{.receiver = nullptr, .tag = {}, .deadline = quorum_.deadline()};
    s.send(life_command(quorum_.encoder(), channel_of(quorum_.client_name().text())), nobody);
}

void hand_overs::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    session& s = quorum_.session_of(tag.node());
    const bool heard = !reply.is(resp::kind::error) && reply.first().text() == "subscribe";
    if (s.hears() == session::hearing::asked)
        s.set_hearing(heard ? session::hearing::yes : session::hearing::deaf);
    // Who has entered already did so as one that hears.
    tell_stands(tag.node(), s.hears() == session::hearing::deaf);
}

void hand_overs::on_failure(reply_tag tag, errc why) noexcept {
    session& s = quorum_.session_of(tag.node());
    if (s.hears() == session::hearing::asked)
        s.set_hearing(why == errc::protocol_error ? session::hearing::deaf : session::hearing::no);
    tell_stands(tag.node(), s.hears() == session::hearing::deaf);
}

// Whoever holds a key is told that others wait, also when it has never waited itself.
void hand_overs::node_ready(std::uint32_t index) {
    listen(index);
    tell_stands(index, true);
}

void hand_overs::ear_changed(std::uint32_t index, bool is_up) {
    session& s = quorum_.session_of(index);
    if (!s.listens_apart() || s.hears() == session::hearing::refused) return;
    s.set_hearing(session::hearing::no);
    if (is_up) listen(index);
    tell_stands(index, true);
}

void hand_overs::cannot_tell(std::uint32_t index) {
    if (is_untold(index)) return;
    quorum_.session_of(index).set_hearing(session::hearing::deaf);
    tell_stands(index, true);
}

void hand_overs::tell_stands(std::uint32_t index, bool is_new) {
    // One that changes its token changes the table.
    std::vector<queue_stand*> all;
    for (const auto& [token, stand] : by_token_)
        all.push_back(stand);
    for (queue_stand* const stand : all)
        stand->node_changed(index, is_new);
}

void hand_overs::take_push(std::uint32_t index, const resp::reply& message) {
    const std::optional<token_news> news = read_token_news(message);
    if (!news || news->token.client != quorum_.client_name().text()) return;
    if (news->first_waiting) quorum_.ticket_seen(news->first_waiting->ticket);
    switch (news->what) {
    case token_news::kind::handed:
        return handed(index, *news);
    case token_news::kind::wanted:
        return wanted(index, *news);
    case token_news::kind::free:
        if (const auto found = by_token_.find(news->token.token); found != by_token_.end())
            found->second->set_free(index);
    }
}

void hand_overs::handed(std::uint32_t index, const token_news& news) {
    const auto found = by_token_.find(news.token.token);
    // A key that it did not ask for is no vote for the one that it did.
    if (found != by_token_.end() && found->second->claim()->full_key.view() == news.key)
        return found->second->handed(index, news);
    if (const claim* const has = held(news)) {
        if (news.first_waiting) has->note_waiting(news.first_waiting->ticket);
        return;
    }
    if (release_of(news.token.token) || quorum_.has_left(news.key, news.token.token)) return;
    give_back(index, std::allocate_shared<claim>(detail::pool_allocator<claim>(), news.key, news.token));
}

void hand_overs::wanted(std::uint32_t index, const token_news& news) {
    const std::uint64_t ticket =
        news.first_waiting ? news.first_waiting->ticket : core::lock_token::highest_ticket;
    if (const claim* const has = held(news)) return has->note_waiting(ticket);
    if (const claim* const wants = contended(news.token.token)) return wants->note_waiting(ticket);
    quorum_.before(news.key);
    release* const under_way = release_of(news.token.token);
    if (!under_way || under_way->serves_queue()) return;
    // That only deletes the key: whoever waits for it is served by another one behind it.
    under_way->followed(index);
    give_back(index, under_way->what());
}

const claim* hand_overs::held(const token_news& news) const noexcept {
    const auto* const has = static_cast<const claim*>(quorum_.holder_of(news.key));
    return has && has->token() == news.token.token ? has : nullptr;
}

const claim* hand_overs::contended(std::string_view token) const noexcept {
    if (const auto found = by_token_.find(token); found != by_token_.end())
        return found->second->claim().get();
    for (const contest& c : quorum_.contests_under_way())
        if (c.asks_for().token() == token) return &c.asks_for();
    return nullptr;
}

release* hand_overs::release_of(std::string_view token) const noexcept {
    auto& all = quorum_.releases();
    const auto found =
        std::ranges::find_if(all, [=](const release& r) { return r.what()->token() == token; });
    return found == all.end() ? nullptr : &*found;
}

void hand_overs::give_back(std::uint32_t index, const claim_pointer& of) {
    constexpr core::nanoseconds a_while = std::chrono::minutes(1);
    of->waited_for = true;
    release::start(quorum_, of, core::node_set::just(index), quorum_.now() + a_while);
}

} // namespace redlock::redis
