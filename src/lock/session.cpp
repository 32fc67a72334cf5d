#include "lock/session.hpp"

#include "core/mistake.hpp"
#include "lock/push.hpp"
#include "resp/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace redlock::lock {

namespace {

enum form : unsigned {
    set_returning_holder = 1,
    plain_set,
    release_by_delex,
    release_by_delifeq,
    zadd_fence,
    pexpire_fence,
    get_value,
    get_life,
    get_fence,
    caching_yes,
    // One more where the server knows the script.
    release_key = 64,
    extend_key = 66,
    release_retold = 68,
    extend_fenced = 70,
    advance_fence_of = 72,
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
    raises_fences_ = true;
    wakeup_ = redlock::wakeup::automatic;
    const node::server_info& server = node_->server();
    native_release_ = native_release::none;
    if (server.product == "redis" && is_at_least(server.version, 8, 4))
        native_release_ = native_release::delex;
    if (server.product == "valkey" && is_at_least(server.version, 9, 0))
        native_release_ = native_release::delifeq;
}

errc session::set(const claim& c, std::chrono::milliseconds life, const addressee& to, encoding& bytes) {
    if (bytes.lacks(set_returns_holder_ ? set_returning_holder : plain_set)) {
        const resp::decimal milliseconds(life.count());
        if (set_returns_holder_)
            bytes.encode({"SET", c.full_key, c.value(), "NX", "GET", "PX", milliseconds});
        else
            bytes.encode({"SET", c.full_key, c.value(), "NX", "PX", milliseconds});
    }
    return submit(bytes, to);
}

// In the form with the hash, which the server may not know, or with the text. The number of keys is part of
// the script.
errc session::run(script s, unsigned form, std::initializer_list<std::string_view> keys_and_arguments,
                  const addressee& to, encoding& bytes) {
    const bool known = has(s);
    if (bytes.lacks(form + known)) {
        std::array<std::string_view, 9> words{known ? "EVALSHA" : "EVAL", known ? hash_of(s) : text_of(s),
                                              keys_of(s) == 1 ? "1" : "2"};
        const auto end = std::ranges::copy(keys_and_arguments, words.begin() + 3).out;
        bytes.encode(std::span(words.begin(), end));
    }
    return submit(bytes, to);
}

errc session::release(const claim& c, const addressee& to, encoding& bytes) {
    if (planted(core::mistake::delete_without_compare)) return command({"DEL", c.full_key}, to, bytes);
    if (c.retold) return run(script::release_retold, release_retold, {c.full_key, c.token()}, to, bytes);
    return delete_if(c.full_key, c.value(), to, bytes);
}

errc session::delete_if(const std::string& key, std::string_view value, const addressee& to,
                        encoding& bytes) {
    if (native_release_ == native_release::delex) {
        if (bytes.lacks(release_by_delex)) bytes.encode({"DELEX", key, "IFEQ", value});
        return submit(bytes, to);
    }
    if (native_release_ == native_release::delifeq) {
        if (bytes.lacks(release_by_delifeq)) bytes.encode({"DELIFEQ", key, value});
        return submit(bytes, to);
    }
    return run(script::release, release_key, {key, value}, to, bytes);
}

errc session::extend(const claim& c, std::chrono::milliseconds life, const fence_mark& fence,
                     const addressee& to, encoding& bytes) {
    const resp::decimal milliseconds(life.count());
    if (!c.is_fenced())
        return run(script::extend, extend_key, {c.full_key, c.token(), milliseconds}, to, bytes);
    c.retold = true;
    return run(script::extend_fenced, extend_fenced,
               {c.full_key, bytes.fence_key_of(c.full_key), c.token(), milliseconds,
                resp::decimal(fence.token), resp::decimal(fence.retention.count())},
               to, bytes);
}

errc session::raise_fence(const claim& c, const addressee& to, encoding& bytes) {
    if (bytes.lacks(zadd_fence))
        bytes.encode({"ZADD", bytes.fence_key_of(c.full_key), "GT", "CH", c.proposal_text(), "fence"});
    return submit(bytes, to);
}

errc session::expire_fence(const claim& c, std::chrono::milliseconds retention, const addressee& to,
                           encoding& bytes) {
    if (bytes.lacks(pexpire_fence))
        bytes.encode({"PEXPIRE", bytes.fence_key_of(c.full_key), resp::decimal(retention.count())});
    return submit(bytes, to);
}

errc session::advance_fence(const claim& c, const fence_mark& fence, const addressee& to, encoding& bytes) {
    c.retold = true;
    return run(script::advance_fence, advance_fence_of,
               {c.full_key, bytes.fence_key_of(c.full_key), c.token(), resp::decimal(fence.token),
                resp::decimal(fence.retention.count())},
               to, bytes);
}

errc session::get(const std::string& key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(get_value)) bytes.encode({"GET", key});
    return submit(bytes, to);
}

errc session::remaining_life(const std::string& key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(get_life)) bytes.encode({"PTTL", key});
    return submit(bytes, to);
}

errc session::fence_of(const std::string& key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(get_fence)) bytes.encode({"ZSCORE", bytes.fence_key_of(key), "fence"});
    return submit(bytes, to);
}

errc session::subscribe(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(subscribe_to + database)) bytes.encode({"SUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::unsubscribe(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(unsubscribe_from + database))
        bytes.encode({"UNSUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::count_listeners(const std::string& key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(listeners_of + database))
        bytes.encode({"PUBSUB", "NUMSUB", keyspace_channel(database, key)});
    return submit(bytes, to);
}

errc session::track_next(const addressee& to, encoding& bytes) {
    if (bytes.lacks(caching_yes)) bytes.encode({"CLIENT", "CACHING", "YES"});
    return submit(bytes, to);
}

errc session::command(std::initializer_list<std::string_view> words, const addressee& to, encoding& bytes) {
    bytes.begin();
    bytes.encode(words);
    return submit(bytes, to);
}

errc session::submit(const encoding& bytes, const addressee& to) noexcept {
    return submitted(node_->submit({.command = bytes.bytes_,
                                    .receiver = to.receiver,
                                    .tag = to.tag,
                                    .deadline = to.deadline,
                                    .stays = true,
                                    .cleanup = to.cleanup}));
}

errc session::submit_subscription(const encoding& bytes, const addressee& to) noexcept {
    return submitted(ear().submit({.command = bytes.bytes_,
                                   .receiver = to.receiver,
                                   .tag = to.tag,
                                   .deadline = to.deadline,
                                   .subscription = true,
                                   .stays = true,
                                   .cleanup = to.cleanup}));
}

} // namespace redlock::lock
