#include "engines/redis/watch/event_probe.hpp"

#include "core/lock_token.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/quorum/quorum.hpp"

#include <utility>

namespace redlock::redis {

namespace {

// Should the deletion be lost.
constexpr std::string_view life_of_key = "5000";

/// Of the wanted classes (K keyspace, g generic such as del, x expired, e evicted; A is all of them but K)
/// those that are missing.
std::string missing_flags(std::string_view present) {
    std::string missing;
    const bool all_classes = present.find('A') != present.npos;
    for (const char flag : std::string_view("Kgxe"))
        if (present.find(flag) == present.npos && (flag == 'K' || !all_classes)) missing += flag;
    return missing;
}

} // namespace

event_probe::event_probe(quorum& r, std::uint32_t node, probe_listener& listener)
    : turn::routine_operation(r.ready()),
      quorum_(r),
      node_(node),
      listener_(listener),
      key_(r.settings().key_prefix + "redlock:probe:" + std::string(r.new_token().text())) {}

bool event_probe::wants(redlock::wakeup kind) const noexcept {
    const redlock::wakeup wanted = quorum_.settings().wakeup;
    return wanted == kind || wanted == wakeup::automatic;
}

bool event_probe::has_several_servers() const noexcept {
    return quorum_.session_of(node_).node().has_several_servers();
}

void event_probe::start() {
    if (!running()) run(find_out());
}

turn::routine event_probe::find_out() {
    bool tells = false;
    if (wants(wakeup::keyspace_events)) {
        for (bool configured = false;; configured = true) {
            const bool apart = quorum_.session_of(node_).listens_apart();
            subscribe_to_key();
            if (apart) co_await any_of(is_answered);
            change_key();
            if (apart) co_await any_of(is_answered);
            unsubscribe_from_key();
            while (outstanding_ > 0)
                co_await any_of(is_answered);
            forget(is_answered);
            tells = heard_;
            if (failed_ || configured || !quorum_.settings().configure_servers) break;
            if (tells && !has_several_servers()) break; // of which the others may not
            ask_for_flags();
            co_await any_of(is_answered);
            if (failed_ || refused_) break;
            // Another client may have added them a moment ago.
            if (add_flags()) co_await any_of(is_answered);
        }
        if (tells || failed_) co_return conclude(tells ? wakeup::keyspace_events : wakeup::automatic);
    }
    // Over RESP2 invalidations would need a connection to redirect them to; in a cluster each connection has
    // its own.
    const session& s = quorum_.session_of(node_);
    if (wants(wakeup::client_tracking) && !s.listens_apart() && !has_several_servers()) {
        listen_to_invalidations();
        co_await any_of(is_answered);
        if (heard_ || failed_) co_return conclude(heard_ ? wakeup::client_tracking : wakeup::automatic);
    }
    conclude(wakeup::timed);
}

void event_probe::subscribe_to_key() {
    begin();
    tracking_ = false;
    sent(quorum_.session_of(node_).send(subscribe_command(quorum_.encoder(), key_), back(any)));
    if (!quorum_.session_of(node_).listens_apart()) send({"PTTL", key_});
    end_of_sending();
}

void event_probe::change_key() {
    sending_ = true;
    send({"SET", key_, "probe", "PX", life_of_key});
    send({"DEL", key_});
    end_of_sending();
}

// Its answer comes after all that was published before.
void event_probe::unsubscribe_from_key() {
    sending_ = true;
    sent(quorum_.session_of(node_).send(unsubscribe_command(quorum_.encoder(), key_), back(any)));
    end_of_sending();
}

void event_probe::listen_to_invalidations() {
    begin();
    tracking_ = true;
    send({"CLIENT", "TRACKING", "ON", "OPTIN"}, track);
    send({"CLIENT", "CACHING", "YES"});
    send({"PTTL", key_});
    send({"SET", key_, "probe", "PX", life_of_key});
    send({"DEL", key_});
    send({"PTTL", key_});
    end_of_sending();
}

void event_probe::ask_for_flags() {
    begin();
    flags_.clear();
    send({"CONFIG", "GET", "notify-keyspace-events"}, flags);
    end_of_sending();
}

bool event_probe::add_flags() {
    const std::string missing = missing_flags(flags_);
    // What one of several servers is told is passed on to the others.
    if (missing.empty() && !has_several_servers()) return false;
    begin();
    send({"CONFIG", "SET", "notify-keyspace-events", flags_ + missing}, write_flags);
    end_of_sending();
    return true;
}

void event_probe::hear(const resp::reply& message) noexcept {
    if (!running()) return;
    const unsigned database = quorum_.session_of(node_).node().server().database;
    // What is late from a probe before this one, which was given up, says nothing of what is probed now.
    if (tracking_)
        read_invalidation(message, [&](std::string_view key) { heard_ |= key == key_; });
    else if (const auto change = read_keyspace_event(message, database))
        heard_ |= change->what == key_change::kind::gone && change->key == key_;
}

void event_probe::conclude(redlock::wakeup found) noexcept { listener_.wakeup_found(node_, found); }

void event_probe::begin() noexcept {
    heard_ = failed_ = refused_ = false;
    sending_ = true;
}

void event_probe::end_of_sending() noexcept {
    sending_ = false;
    answered();
}

addressee event_probe::back(request tag) noexcept {
    return {.receiver = this, .tag = reply_tag::of(node_, tag), .deadline = quorum_.deadline()};
}

void event_probe::send(std::initializer_list<std::string_view> words, request tag) {
    sent(quorum_.session_of(node_).send(plain_command(quorum_.encoder(), words), back(tag)));
}

void event_probe::sent(errc refusal) noexcept {
    if (refusal == errc{})
        ++outstanding_;
    else
        failed_ = true;
}

void event_probe::on_reply(reply_tag tag, const resp::reply& reply) noexcept {
    --outstanding_;
    if (tag.kind() != any && reply.is(resp::kind::error)) refused_ = true;
    if (tag.kind() == flags) flags_ = node::printable(reply.first().next().text());
    answered();
}

void event_probe::on_failure(reply_tag, errc why) noexcept {
    --outstanding_;
    failed_ = failed_ || why != errc::protocol_error; // which is a confirmation that was missing
    answered();
}

void event_probe::answered() noexcept {
    if (outstanding_ == 0 && !sending_) raise(is_answered);
}

} // namespace redlock::redis
