#include "session/watched_node.hpp"

// What a node calls: each call is held to the rules before it is passed on.

namespace redlock::test {

using node::health;

void watched_node::expect_call(bool in_turn) {
    expect(alive(), "a destroyed node calls nobody");
    expect(!quiet_, "a node calls nobody from inside start, submit and flush");
    expect(!stopped_, "a stopped node calls nobody");
    expect(in_turn == in_turn_, "a node calls inside a turn, and turns do not overlap");
}

void watched_node::react() {
    if (then) then();
}

void watched_node::on_turn_begin() noexcept {
    expect_call(false);
    in_turn_ = true;
}

void watched_node::on_turn_end() noexcept {
    expect_call();
    react();
    in_turn_ = false;
}

void watched_node::on_node_ready(std::uint32_t, bool) noexcept {
    expect_call();
    expect(node_->state() == health::ready, "a node that says that it is ready is ready");
    react();
}

void watched_node::on_node_down(std::uint32_t) noexcept {
    expect_call();
    expect(node_->state() != health::ready, "a node that says that it is down is not ready");
    react();
}

void watched_node::on_push(std::uint32_t, const resp::reply& message) noexcept {
    expect_call();
    expect(message.is(resp::kind::push) || settings_.only_listens, "a push is a push");
    react();
}

void watched_node::resolve(std::uint32_t tag) {
    if (tag >= requests_.size()) return expect(false, "an outcome is that of a request");
    auto& request = requests_[tag];
    expect(request.what != ask::unanswerable, "who wants no reply gets none");
    expect(++request.outcomes == 1, "a request has one outcome");
    --unresolved_;
}

bool watched_node::right_reply(std::uint32_t tag, const resp::reply& reply) const {
    const auto& request = requests_[tag];
    const std::string number = std::to_string(tag);
    if (request.pttl) return reply.is(resp::kind::integer) && std::to_string(reply.integer()) == number;
    if (request.what != ask::subscription) {
        const auto text = reply.text();
        return text.starts_with(number) && text.find_first_not_of('.', number.size()) == text.npos;
    }
    if (reply.is(resp::kind::error)) return !resp3;
    return reply.first().text() == "subscribe" && reply.first().next().text() == number;
}

void watched_node::on_reply(node::reply_tag tag, const resp::reply& reply) noexcept {
    expect_call();
    expect(!stopping_, "stop makes no replies");
    resolve(tag.number());
    ++replies_;
    if (!tainted_ && broken_.empty())
        expect(right_reply(tag.number(), reply),
               "the reply to a request is that which the server gave to it");
    react();
}

void watched_node::on_failure(node::reply_tag tag, errc why) noexcept {
    expect_call(stopping_ ? in_turn_ : true);
    resolve(tag.number());
    if (why == errc::closed)
        expect(stopping_, "closed is for what was stopped");
    else
        expect(!stopping_, "what is stopped is closed");
    if (why == errc::node_timeout && tag.number() < requests_.size())
        expect(world_.now() >= requests_[tag.number()].deadline, "a request times out at its deadline");
    if (!any_tainted_)
        expect(why == errc::node_timeout || why == errc::node_unavailable || why == errc::closed,
               "a peer that keeps to the protocol is not said to break it");
    react();
}

} // namespace redlock::test
