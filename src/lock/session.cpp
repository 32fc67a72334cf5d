#include "lock/session.hpp"

#include "lock/push.hpp"
#include "resp/command.hpp"

#include <charconv>

namespace redlock::lock {

namespace {

enum form : unsigned {
    set_returning_holder = 1,
    plain_set,
    release_by_hash,
    release_by_text,
    release_by_delex,
    release_by_delifeq,
    extend_by_hash,
    extend_by_text,
    get_value,
    get_life,
    caching_yes,
    // With the number of the database added to them.
    subscribe_to = 1u << 16,
    unsubscribe_from = 2u << 16,
    listeners_of = 3u << 16
};

/// Whether a version such as "8.4.0" is `major`.`minor` or later.
bool is_at_least(std::string_view version, unsigned major, unsigned minor) noexcept {
    unsigned found[2] = {0, 0};
    const char* at = version.data();
    const char* const end = at + version.size();
    for (unsigned& part : found) {
        const auto [next, error] = std::from_chars(at, end, part);
        if (error != std::errc()) break;
        at = next == end ? next : next + 1;
    }
    return found[0] > major || (found[0] == major && found[1] >= minor);
}

} // namespace

void session::reconnected() noexcept {
    scripts_ = 0;
    set_returns_holder_ = true;
    wakeup_ = redlock::wakeup::automatic;
    const node::server_info& server = node_->server();
    native_release_ = native_release::none;
    if (server.product == "redis" && is_at_least(server.version, 8, 4))
        native_release_ = native_release::delex;
    if (server.product == "valkey" && is_at_least(server.version, 9, 0))
        native_release_ = native_release::delifeq;
}

errc session::set(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(set_returns_holder_ ? set_returning_holder : plain_set)) {
        const resp::decimal milliseconds(life.count());
        if (set_returns_holder_)
            resp::append_command(*out, {"SET", c.full_key, c.token.text(), "NX", "GET", "PX", milliseconds});
        else
            resp::append_command(*out, {"SET", c.full_key, c.token.text(), "NX", "PX", milliseconds});
    }
    return submit(bytes, to);
}

errc session::release(const claim& c, const addressee& to, encoding& bytes) {
    if (native_release_ == native_release::delex) {
        if (std::string* out = bytes.to_encode(release_by_delex))
            resp::append_command(*out, {"DELEX", c.full_key, "IFEQ", c.token.text()});
        return submit(bytes, to);
    }
    if (native_release_ == native_release::delifeq) {
        if (std::string* out = bytes.to_encode(release_by_delifeq))
            resp::append_command(*out, {"DELIFEQ", c.full_key, c.token.text()});
        return submit(bytes, to);
    }
    const bool known = has(script::release);
    if (std::string* out = bytes.to_encode(known ? release_by_hash : release_by_text))
        resp::append_command(*out, {known ? "EVALSHA" : "EVAL",
                                    known ? hash_of(script::release) : text_of(script::release), "1",
                                    c.full_key, c.token.text()});
    return submit(bytes, to);
}

errc session::extend(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
    const bool known = has(script::extend);
    if (std::string* out = bytes.to_encode(known ? extend_by_hash : extend_by_text)) {
        const resp::decimal milliseconds(life.count());
        resp::append_command(*out, {known ? "EVALSHA" : "EVAL",
                                    known ? hash_of(script::extend) : text_of(script::extend), "1",
                                    c.full_key, c.token.text(), milliseconds});
    }
    return submit(bytes, to);
}

errc session::get(const std::string& key, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(get_value)) resp::append_command(*out, {"GET", key});
    return submit(bytes, to);
}

errc session::remaining_life(const std::string& key, const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(get_life)) resp::append_command(*out, {"PTTL", key});
    return submit(bytes, to);
}

errc session::subscribe(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (std::string* out = bytes.to_encode(subscribe_to + database))
        resp::append_command(*out, {"SUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::unsubscribe(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (std::string* out = bytes.to_encode(unsubscribe_from + database))
        resp::append_command(*out, {"UNSUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::count_listeners(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (std::string* out = bytes.to_encode(listeners_of + database))
        resp::append_command(*out, {"PUBSUB", "NUMSUB", keyspace_channel(database, key)});
    return submit(bytes, to);
}

errc session::track_next(const addressee& to, encoding& bytes) {
    if (std::string* out = bytes.to_encode(caching_yes))
        resp::append_command(*out, {"CLIENT", "CACHING", "YES"});
    return submit(bytes, to);
}

errc session::command(std::initializer_list<std::string_view> words, const addressee& to) {
    encoding bytes;
    resp::append_command(*bytes.to_encode(1), words);
    return submit(bytes, to);
}

errc session::submit(const encoding& bytes, const addressee& to) noexcept {
    return node_->submit({.command = bytes.bytes_,
                          .receiver = to.receiver,
                          .tag = to.tag,
                          .deadline = to.deadline,
                          .cleanup = to.cleanup});
}

errc session::submit_subscription(const encoding& bytes, const addressee& to) noexcept {
    return ear().submit({.command = bytes.bytes_,
                         .receiver = to.receiver,
                         .tag = to.tag,
                         .deadline = to.deadline,
                         .subscription = true,
                         .cleanup = to.cleanup});
}

} // namespace redlock::lock
