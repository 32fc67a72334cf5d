// How a session comes to a connection that it is logged in on.

#include "engines/redis/node/session.hpp"

#include <fmt/format.h>

#include <utility>

namespace redlock::node {
namespace {

/// `CLUSTER SLOTS` may name each slot by itself, with several servers for each.
resp::limits limits_of_replies(bool of_cluster) noexcept {
    resp::limits usual;
    if (!of_cluster) return usual;
    return {.depth = usual.depth,
            .message = 8 * usual.message,
            .elements = 8 * usual.elements,
            .line = usual.line};
}

} // namespace

void session::connect() {
    health_.attempt_started(time_.now());
    if (group_ && !go_to_master()) return; // or to wherever `master_changed` says meanwhile
    const handshake::wishes wanted{
        .only_resp2 = settings_.only_listens, .only_resp3 = is_of_cluster(), .clock = guard_.on()};
    link_ = std::make_shared<connection>(shared_from_this(), make_wire(), address_, settings_.client_name,
                                         wanted, limits_of_replies(is_of_cluster()));
    fast_.open(link_->output);
    link_->wire->async_connect(address_.where(), attempts_++, begin_operation());
}

void session::leave_group() noexcept {
    if (group_) group_->forget(*this);
    group_.reset();
}

bool session::go_to_master() {
    const auto& master = group_->master();
    if (!master) return false;
    address_.host = master->at.host;
    address_.port = master->at.port;
    return true;
}

// Whoever goes on being connected to a master that is none any more may be granted what another is granted by
// the new one.
void session::master_changed() {
    if (stopped_) return;
    const auto& master = group_->master();
    if (link_) {
        if (master && master->at == endpoint{address_.host, address_.port}) return;
        lose(errc::node_unavailable,
             master ? fmt::format("has another master, {}", master->at.name()) : group_->problem());
    }
    if (stopped_) return;
    if (master) connect();
    arm();
}

std::shared_ptr<network::stream> session::make_wire() {
    auto bare = io_.make_stream(strand_);
    if (address_.via != address::transport::tls) return bare;
    return settings_.tls->cover(strand_, std::move(bare), address_.where());
}

void session::on_connected(error_code ec) {
    if (ec) return lose("cannot be reached", ec);
    if (!ask_for_credentials())
        return lose(errc::authentication_failed, "config::credentials gave nothing: it threw an exception");
    link_->greeting_began = time_.now();
    link_->greeting.begin(link_->output.tail());
    flush();
    read();
}

// The text of an exception of the caller's may have a password in it.
bool session::ask_for_credentials() {
    if (!settings_.log_in_as) return true;
    try {
        credentials given = settings_.log_in_as(name_);
        address_.user = std::move(given.user);
        address_.password = std::move(given.password);
    } catch (...) {
        return false;
    }
    link_->greeting.log_in_as(address_.user, address_.password);
    return true;
}

void session::greet(const resp::reply& reply) {
    auto& greeting = link_->greeting;
    switch (greeting.take(reply, link_->output.tail())) {
    case handshake::progress::pending:
        return flush();
    case handshake::progress::failed:
        return lose(greeting.failure(), greeting.problem());
    case handshake::progress::complete:
        return begin_service();
    }
}

} // namespace redlock::node
