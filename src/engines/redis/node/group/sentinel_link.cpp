#include "engines/redis/node/group/sentinel_link.hpp"

#include "engines/redis/resp/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace redlock::node {
namespace {

constexpr std::chrono::seconds shortest_timeout{1};
constexpr unsigned asks_between_others = 10;
constexpr std::size_t most_others = 64;

address sentinel_address(const address& group, const endpoint& at) {
    address to;
    to.via = group.via;
    to.host = at.host;
    to.port = at.port;
    return to;
}

} // namespace

sentinel_link::sentinel_link(const redis_node::strand& on, const address& group, const endpoint& at,
                             node_settings each, link_listener& listener, node_listener& turns,
                             const time::time_source& time, std::uint64_t seed, network::io_source& over)
    : at_(at), service_(group.service), listener_(listener), turns_(turns), time_(time), id_(at.name()) {
    each.node_timeout = std::max<std::chrono::nanoseconds>(each.node_timeout, shortest_timeout);
    each.refuses_nobody = true;
    each.restart_guard = {};
    each.group = nullptr;
    each.log_in_as = [this, wanted = std::move(each.log_in_as), name = "sentinel://" + at.name(),
                      as = credentials{group.user, group.password}](std::string_view) {
        if (node_->report().last_error == errc::authentication_failed) without_login_ = !without_login_;
        if (without_login_) return credentials();
        return wanted ? wanted(name) : as;
    };
    node_listener& own = *this;
    node_ = std::make_unique<redis_node>(on, sentinel_address(group, at), 0, std::move(each), own, time, seed,
                                         over);
}

std::string sentinel_link::problem() const {
    if (node_->state() == health::ready) return refusal_;
    const status seen = node_->report();
    return seen.last_error == errc{} ? fmt::format("{} has not answered yet", at_.name())
                                     : seen.last_error_text;
}

errc sentinel_link::failure() const { return is_reachable() ? errc{} : node_->report().last_error; }

void sentinel_link::ask() {
    asked_again_ = asked_;
    if (asked_ || node_->state() != health::ready) return;
    if (++asked_before_ % asks_between_others == 1)
        put(question::others, {"SENTINEL", "SENTINELS", service_});
    put(question::master, {"SENTINEL", "MASTER", service_});
    node_->flush();
}

void sentinel_link::put(question what, std::initializer_list<std::string_view> words) {
    std::string bytes;
    resp::append_command(bytes, words);
    const time::instant now = time_.now();
    const errc refused = node_->submit({.command = bytes,
                                        .receiver = this,
                                        .tag = reply_tag::of(0, what),
                                        .deadline = now + shortest_timeout,
                                        .subscription = what == question::subscription});
    if (refused != errc{} || what != question::master) return;
    asked_ = true;
    asked_at_ = now;
}

void sentinel_link::on_node_ready(std::uint32_t, bool new_connection) noexcept {
    if (new_connection) {
        asked_ = false;
        asked_before_ = 0;
        put(question::id, {"SENTINEL", "MYID"});
        // On one that speaks RESP2 nothing else could be asked from then on.
        if (node_->server().protocol == 3) put(question::subscription, {"SUBSCRIBE", "+switch-master"});
    }
    ask();
}

void sentinel_link::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    switch (tag.kind<question>()) {
    case question::id:
        return take_id(reply);
    case question::subscription:
        return;
    case question::master:
        return take_master(reply);
    case question::others:
        return listener_.sentinels_told(read_sentinels(reply, most_others));
    }
}

void sentinel_link::on_failure(reply_tag tag, errc) noexcept {
    if (tag.kind<question>() == question::master) asked_ = false;
}

// Before 6.2 there is no such command: then it goes by its address.
void sentinel_link::take_id(const resp::reply& reply) {
    has_told_id_ = true;
    if (reply.is(resp::kind::text) && !reply.text().empty()) id_ = printable(reply.text());
}

void sentinel_link::take_master(const resp::reply& reply) {
    asked_ = false;
    auto told = read_testimony(reply, time_.now());
    refusal_.clear();
    if (told)
        listener_.sentinel_said(*this, std::move(*told), asked_at_);
    else {
        refusal_ =
            fmt::format("{} says of {}: {}", at_.name(), service_,
                        reply.is(resp::kind::error) ? node_->quote(reply.text()) : "nothing that is known");
        listener_.sentinel_knows_nothing(*this);
    }
    if (std::exchange(asked_again_, false)) ask();
}

void sentinel_link::on_push(std::uint32_t, const resp::reply& message) noexcept {
    if (tells_of_switch(message, service_)) listener_.switched();
}

} // namespace redlock::node
