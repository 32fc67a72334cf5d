#include "engines/redis/examine/examine_node.hpp"

#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/node/server/number_text.hpp"
#include "engines/redis/node/server/server_facts.hpp"
#include "engines/redis/resp/command.hpp"
#include "turn/outcome.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

namespace redlock::redis {

namespace {

constexpr int round_trips_taken = 9;
constexpr std::chrono::milliseconds look_interval{5};
enum setting_asked : std::uint32_t { keyspace_events, save, append_fsync, eviction, replicas, replica_lag };
constexpr std::array<std::string_view, 6> settings_asked{
    "notify-keyspace-events", "save", "appendfsync", "maxmemory-policy", "min-replicas-to-write",
    "min-replicas-max-lag"};

/// More than anybody sets.
constexpr std::uint64_t largest_setting = 1'000'000;

} // namespace

examine_node::examine_node(quorum& r, std::uint32_t index, unsigned database, core::nanoseconds step,
                           examination_listener& listener)
    : turn::routine_operation(r.ready()),
      quorum_(r),
      index_(index),
      step_(step),
      listener_(listener),
      rights_(r.settings().key_prefix, r.new_token().text(), database,
              r.session_of(index).node().has_several_servers()) {
    found_.node = r.session_of(index).node().name();
}

void examine_node::start(std::unique_ptr<node::connected_node> connection) {
    connection_ = std::move(connection);
    connection_->start();
    run(examine());
}

void examine_node::stop(std::function<void()> ended) {
    connection_->stop(std::move(ended));
    if (failure_ == errc{}) failure_ = errc::closed;
    raise(is_answered | is_time);
}

turn::routine examine_node::examine() {
    ask(about(hello), {"PING"}); // waits for the connection
    co_await any_of(is_answered);
    for (int taken = 0; taken < round_trips_taken && failure_ == errc{}; ++taken) {
        ask_for_time();
        co_await any_of(is_answered);
    }
    if (failure_ == errc{}) {
        ask_for_settings();
        co_await any_of(is_answered);
    }
    if (failure_ == errc{}) {
        ask_for_rights();
        co_await any_of(is_answered);
    }
    if (failure_ == errc{}) {
        subscribe();
        co_await any_of(is_answered);
    }
    const time::instant until = quorum_.now() + step_;
    while (failure_ == errc{} && wakeup_is_open() && quorum_.now() < until) {
        quorum_.timers().arm(*this, quorum_.now() + look_interval);
        co_await any_of(is_time);
    }
    conclude();
}

void examine_node::ask_for_time() {
    asked_at_ = quorum_.clock().now();
    asked_at_day_ = quorum_.clock().time_of_day().time_since_epoch();
    ask(about(round_trip), {"TIME"});
}

void examine_node::ask_for_settings() {
    ask(about(info), {"INFO"});
    for (std::size_t which = 0; which < settings_asked.size(); ++which)
        ask(about(setting, which), {"CONFIG", "GET", settings_asked[which]});
}

void examine_node::ask_for_rights() {
    const auto& all = rights_.to_try();
    for (std::size_t which = 0; which < all.size(); ++which) {
        const std::vector<std::string_view> words(all[which].words.begin(), all[which].words.end());
        ask(about(right, which), words);
    }
}

// Over RESP2 the connection can do nothing else from then on.
void examine_node::subscribe() {
    const bool pushed = connection_->server().protocol == 3;
    ask(about(subscription), {"SUBSCRIBE", rights_.channel()}, pushed);
    if (pushed) ask(about(hello), {"PTTL", rights_.key()});
    ask(about(subscription, 1), {"UNSUBSCRIBE", rights_.channel()}, pushed);
}

/// Whether the client is about to find out how the node tells.
bool examine_node::wakeup_is_open() const {
    const session& s = quorum_.session_of(index_);
    const node::health state = s.node().state();
    return s.wakeup() == wakeup::automatic &&
           (state == node::health::ready || state == node::health::connecting);
}

void examine_node::conclude() {
    const node::server_info& server = connection_->server();
    found_.product = node::printable(server.product);
    found_.version = node::printable(server.version);
    found_.mode = node::printable(server.mode);
    found_.role = node::printable(server.role);
    found_.run_id = node::printable(server.run_id);
    found_.replication_id = server.replication_id;
    const node::status seen = connection_->report();
    if (seen.connects > 0) found_.protocol = server.protocol;
    found_.group_master = seen.master;
    if (server.uptime >= std::chrono::seconds::zero()) found_.uptime = server.uptime;
    if (found_.eviction_policy.empty()) found_.eviction_policy = node::printable(server.eviction_policy);
    if (!round_trips_.empty()) {
        found_.least_round_trip = round_trips_.least();
        found_.median_round_trip = round_trips_.median();
    }
    if (const auto& offset = round_trips_.clock())
        found_.clock = clock_offset{.ahead = offset->ahead, .uncertainty = offset->uncertainty};
    if (failure_ != errc{}) {
        found_.error = make_error_code(failure_);
        found_.error_text = seen.last_error == errc{} || failure_ == errc::node_timeout
                                ? fmt::format("{} did not answer within {} ms", found_.node,
                                              std::chrono::ceil<std::chrono::milliseconds>(step_).count())
                                : seen.last_error_text;
    }
    const session& own = quorum_.session_of(index_);
    found_.wakeup = own.wakeup();
    const node::status status = own.node().report();
    if (status.state == node::health::ready || status.state == node::health::connecting) return;
    found_.refusal = turn::code_of(status.last_error);
    found_.refusal_text = status.last_error_text;
}

void examine_node::ask(reply_tag tag, std::initializer_list<std::string_view> words, bool subscribes) {
    ask(tag, std::span(words.begin(), words.size()), subscribes);
}

void examine_node::ask(reply_tag tag, std::span<const std::string_view> words, bool subscribes) {
    std::string bytes;
    resp::append_command(bytes, words);
    const errc refusal = connection_->submit({.command = bytes,
                                              .receiver = this,
                                              .tag = tag,
                                              .deadline = quorum_.now() + step_,
                                              .subscription = subscribes});
    connection_->flush();
    if (refusal == errc{})
        ++outstanding_;
    else
        failure_ = refusal;
    if (outstanding_ == 0) raise(is_answered);
}

void examine_node::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    const std::uint32_t which = tag.form();
    switch (tag.kind()) {
    case round_trip:
        take_time(reply);
        break;
    case info:
        if (reply.is(resp::kind::text)) {
            node::server_facts facts;
            node::read_facts(reply.text(), facts);
            found_.append_only = facts.append_only;
            found_.memory_is_limited = facts.memory_is_limited;
            if (!facts.master_host.empty())
                found_.master = fmt::format("{}:{}", facts.master_host, facts.master_port);
        }
        break;
    case setting:
        take_setting(which, reply);
        break;
    default:
        break;
    }
    if (reply.is(resp::kind::error)) take_refusal(tag, reply.text());
    if (--outstanding_ == 0) raise(is_answered);
}

void examine_node::take_time(const resp::reply& reply) {
    round_trips_.add(quorum_.clock().now() - asked_at_, asked_at_day_, node::read_time(reply));
}

void examine_node::take_setting(std::uint32_t which, const resp::reply& reply) {
    std::optional<std::string> value = node::read_setting(reply);
    if (!value) return;
    switch (which) {
    case keyspace_events:
        found_.keyspace_events = std::move(value);
        break;
    case save:
        found_.snapshots = !value->empty();
        break;
    case append_fsync:
        found_.append_fsync = std::move(*value);
        break;
    case eviction:
        found_.eviction_policy = std::move(*value);
        break;
    case replicas:
        if (const auto count = node::number_up_to(largest_setting, *value))
            found_.replicas_needed = static_cast<unsigned>(*count);
        break;
    default:
        if (const auto lag = node::number_up_to(largest_setting, *value))
            found_.replicas_longest_lag = std::chrono::seconds(static_cast<std::int64_t>(*lag));
    }
}

void examine_node::take_refusal(reply_tag tag, std::string_view words) {
    purpose needed_for = purpose::recognition;
    std::string_view name = "info";
    switch (tag.kind()) {
    case round_trip:
        needed_for = purpose::restart_guard;
        name = "time";
        break;
    case setting:
        needed_for = purpose::configuration;
        name = "config|get";
        break;
    case subscription:
        needed_for = purpose::keyspace_events;
        name = tag.form() == 0 ? "subscribe" : "unsubscribe";
        break;
    case right:
        needed_for = rights_.to_try()[tag.form()].needed_for;
        name = rights_.to_try()[tag.form()].right;
        break;
    case info:
        break;
    default:
        return;
    }
    if (auto found = rights_.missing(needed_for, name, words)) add(found_.missing_rights, std::move(*found));
}

void examine_node::on_failure(reply_tag tag, errc why) noexcept {
    // A confirmation that is missing says nothing of the node.
    if (tag.kind() != subscription && failure_ == errc{}) failure_ = why;
    if (--outstanding_ == 0) raise(is_answered);
}

} // namespace redlock::redis
