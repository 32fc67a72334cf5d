#include "engines/redis/node/cluster/cluster_member.hpp"

#include "core/flow/command_time.hpp"
#include "engines/redis/node/cluster/cluster_answers.hpp"
#include "engines/redis/resp/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace redlock::node {
namespace {

address member_address(const address& cluster, const endpoint& at) {
    address to;
    to.via = cluster.via;
    to.host = at.host;
    to.port = at.port;
    to.user = cluster.user;
    to.password = cluster.password;
    return to;
}

} // namespace

cluster_member::cluster_member(const redis_node::strand& on, const address& cluster, const endpoint& at,
                               node_settings each, member_listener& listener, node_listener& turns,
                               const time::time_source& time, std::uint64_t seed, network::io_source& over)
    : at_(at), node_timeout_(each.node_timeout), listener_(listener), turns_(turns), time_(time) {
    if (each.log_in_as)
        each.log_in_as = [wanted = std::move(each.log_in_as), name = cluster.name()](std::string_view) {
            return wanted(name);
        };
    node_listener& own = *this;
    server_ = std::make_unique<redis_node>(on, member_address(cluster, at), 0, std::move(each), own, time,
                                           seed, over);
}

bool cluster_member::is_connected() const noexcept {
    const health now = server_->state();
    return now == health::ready || now == health::suspect || now == health::quarantined;
}

std::string cluster_member::problem() const {
    if (!refusal_.empty()) return fmt::format("{} {}", at_.name(), refusal_);
    if (server_->state() == health::ready)
        return down_ ? fmt::format("{} says that the cluster is down", at_.name()) : std::string();
    const status seen = server_->report();
    return seen.last_error == errc{} ? fmt::format("{} has not answered yet", at_.name())
                                     : seen.last_error_text;
}

errc cluster_member::failure() const {
    if (!refusal_.empty()) return refused_as_;
    if (server_->state() == health::ready) return down_ ? errc::node_unavailable : errc{};
    return server_->report().last_error;
}

errc cluster_member::submit(request r) noexcept {
    r.deadline = latest_deadline_ = std::max(latest_deadline_, r.deadline);
    return server_->submit(r);
}

void cluster_member::put(question what, std::initializer_list<std::string_view> words) {
    std::string bytes;
    resp::append_command(bytes, words);
    const time::instant now = time_.now();
    const request asked{.command = bytes,
                        .receiver = this,
                        .tag = reply_tag::of(0, what),
                        .deadline = now + core::command_time(node_timeout_, server_->least_round_trip()),
                        .cleanup = true}; // it is asked also while it must not vote
    if (submit(asked) != errc{} || what != question::slots) return;
    asked_ = true;
    asked_at_ = now;
}

void cluster_member::ask() {
    if (asked_ || !is_connected()) return;
    if (id_.empty()) put(question::id, {"CLUSTER", "MYID"});
    put(question::info, {"CLUSTER", "INFO"});
    put(question::slots, {"CLUSTER", "SLOTS"});
    server_->flush();
}

void cluster_member::on_node_ready(std::uint32_t, bool new_connection) noexcept {
    if (new_connection) {
        asked_ = down_ = false;
        id_.clear();
    }
    listener_.member_ready(*this, new_connection);
}

void cluster_member::on_node_down(std::uint32_t) noexcept {
    if (!is_connected()) id_.clear(); // another server may have its place
    listener_.member_down(*this);
}

void cluster_member::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    if (tag.kind<question>() == question::id) {
        if (reply.is(resp::kind::text)) id_ = printable(reply.text());
        return;
    }
    if (tag.kind<question>() == question::info) {
        down_ = says_cluster_is_down(reply.text());
        return;
    }
    asked_ = false;
    auto view = read_slots(reply, at_.host);
    refusal_.clear();
    if (view)
        listener_.slots_told(id_, std::move(*view), asked_at_);
    else
        refuse(reply);
}

void cluster_member::refuse(const resp::reply& reply) {
    const bool forbidden = reply.is(resp::kind::error) && reply.text().starts_with("NOPERM");
    refused_as_ = forbidden ? errc::permission_denied : errc::server_error;
    refusal_ =
        fmt::format("does not say how its slots are dealt out: {}",
                    reply.is(resp::kind::error) ? server_->quote(reply.text()) : "nothing that is known");
}

void cluster_member::on_failure(reply_tag tag, errc) noexcept {
    if (tag.kind<question>() == question::slots) asked_ = false;
}

} // namespace redlock::node
