#include "engines/redis/dialect/session.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/server_error.hpp"
#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <span>

namespace redlock::redis {

namespace {

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

errc session::refused(std::string_view error, time::instant now) noexcept {
    constexpr std::size_t longest = 512;
    const errc why = meaning_of_server_error(error);
    try {
        if (!last_refusal_) last_refusal_.reset(new refusal);
        last_refusal_->words = error.substr(0, longest);
        last_refusal_->at = now;
        last_refusal_->why = why;
    } catch (const std::bad_alloc&) {
        last_refusal_.reset();
    }
    return why;
}

void session::encode_set(const claim& c, std::chrono::milliseconds life, encoding& bytes) const {
    bytes.encode(bytes.set_pattern(life, set_returns_holder_), c.full_key, c.value());
}

// In the form with the hash, which the server may not know, or with the text. The number of keys is part of
// the script.
void session::encode_script(script s, std::initializer_list<std::string_view> keys_and_arguments,
                            encoding& bytes) const {
    const bool known = has(s);
    std::array<std::string_view, 9> words{known ? "EVALSHA" : "EVAL", known ? hash_of(s) : text_of(s),
                                          keys_of(s) == 1 ? "1" : "2"};
    const auto end = std::ranges::copy(keys_and_arguments, words.begin() + 3).out;
    bytes.encode(std::span(words.begin(), end));
}

errc session::run(script s, command_form unknown, std::initializer_list<std::string_view> keys_and_arguments,
                  const addressee& to, encoding& bytes) {
    if (bytes.lacks(form_of(s, unknown))) encode_script(s, keys_and_arguments, bytes);
    return submit(bytes, to);
}

void session::encode_release(const claim& c, encoding& bytes) const {
    if (planted(core::mistake::delete_without_compare)) return bytes.encode({"DEL", c.full_key});
    if (c.retold) return encode_script(script::release_retold, {c.full_key, c.token()}, bytes);
    encode_delete(c.full_key, c.value(), bytes);
}

void session::encode_delete(std::string_view key, std::string_view value, encoding& bytes) const {
    switch (native_release_) {
    case native_release::delex:
        return bytes.encode({"DELEX", key, "IFEQ", value});
    case native_release::delifeq:
        return bytes.encode({"DELIFEQ", key, value});
    case native_release::none:
        return has(script::release) ? bytes.encode(bytes.release_pattern(), key, value)
                                    : encode_script(script::release, {key, value}, bytes);
    }
}

errc session::delete_if(std::string_view key, std::string_view value, const addressee& to, encoding& bytes) {
    if (bytes.lacks(form_of_delete())) encode_delete(key, value, bytes);
    return submit(bytes, to);
}

errc session::extend(const claim& c, std::chrono::milliseconds life, const fence_mark& fence,
                     const addressee& to, encoding& bytes) {
    const resp::decimal milliseconds(life.count());
    if (!c.is_fenced())
        return run(script::extend, command_form::extend_key, {c.full_key, c.token(), milliseconds}, to,
                   bytes);
    c.retold = true;
    return run(script::extend_fenced, command_form::extend_fenced,
               {c.full_key, bytes.fence_key_of(c.full_key), c.token(), milliseconds,
                resp::decimal(fence.token), resp::decimal(fence.retention.count())},
               to, bytes);
}

errc session::raise_fence(const claim& c, const addressee& to, encoding& bytes) {
    if (bytes.lacks(command_form::zadd_fence))
        bytes.encode({"ZADD", bytes.fence_key_of(c.full_key), "GT", "CH", c.proposal_text(), "fence"});
    return submit(bytes, to);
}

errc session::expire_fence(const claim& c, std::chrono::milliseconds retention, const addressee& to,
                           encoding& bytes) {
    if (bytes.lacks(command_form::pexpire_fence))
        bytes.encode({"PEXPIRE", bytes.fence_key_of(c.full_key), resp::decimal(retention.count())});
    return submit(bytes, to);
}

errc session::advance_fence(const claim& c, const fence_mark& fence, const addressee& to, encoding& bytes) {
    c.retold = true;
    return run(script::advance_fence, command_form::advance_fence_of,
               {c.full_key, bytes.fence_key_of(c.full_key), c.token(), resp::decimal(fence.token),
                resp::decimal(fence.retention.count())},
               to, bytes);
}

errc session::get(std::string_view key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(command_form::get_value)) bytes.encode({"GET", key});
    return submit(bytes, to);
}

errc session::remaining_life(std::string_view key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(command_form::get_life)) bytes.encode({"PTTL", key});
    return submit(bytes, to);
}

errc session::fence_of(std::string_view key, const addressee& to, encoding& bytes) {
    if (bytes.lacks(command_form::get_fence)) bytes.encode({"ZSCORE", bytes.fence_key_of(key), "fence"});
    return submit(bytes, to);
}

errc session::subscribe(std::string_view key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(command_form::subscribe_to + database))
        bytes.encode({"SUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::unsubscribe(std::string_view key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(command_form::unsubscribe_from + database))
        bytes.encode({"UNSUBSCRIBE", keyspace_channel(database, key)});
    return submit_subscription(bytes, to);
}

errc session::count_listeners(std::string_view key, const addressee& to, encoding& bytes) {
    const unsigned database = node_->server().database;
    if (bytes.lacks(command_form::listeners_of + database))
        bytes.encode({"PUBSUB", "NUMSUB", keyspace_channel(database, key)});
    return submit(bytes, to);
}

errc session::track_next(const addressee& to, encoding& bytes) {
    if (bytes.lacks(command_form::caching_yes)) bytes.encode({"CLIENT", "CACHING", "YES"});
    return submit(bytes, to);
}

errc session::command(std::initializer_list<std::string_view> words, const addressee& to, encoding& bytes) {
    bytes.begin();
    bytes.encode(words);
    return submit(bytes, to);
}

errc session::submit_slowly(const encoding& bytes, const addressee& to) noexcept {
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

} // namespace redlock::redis
