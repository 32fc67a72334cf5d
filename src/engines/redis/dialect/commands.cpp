#include "engines/redis/dialect/commands.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/script_words.hpp"
#include "engines/redis/dialect/sight_text.hpp"
#include "engines/redis/resp/command.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace redlock::redis {

namespace {

// In the place of a row's length, or before that of a door: the row is over.
constexpr std::string_view key_is_to_be_free = "-";

/// A script takes what is not there for what is empty, and is not sent it.
std::span<const std::string_view> without_empty_end(std::span<const std::string_view> words) noexcept {
    return words.back().empty() ? words.first(words.size() - 1) : words;
}

} // namespace

void set_command::put(command_form form) {
    const bool returns_holder = form == command_form::set_returning_holder;
    encode(form, encoder_.set_pattern(life_, returns_holder), claim_.full_key, encoder_.value_of(claim_));
}

command_form set_command::put_to_read(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::read_try);
    const resp::decimal life(life_.count());
    if (lacks(form))
        encode(form, script_words(form, {claim_.full_key, readers_key_of(claim_.full_key),
                                         encoder_.entry_of(claim_), life}));
    return form;
}

command_form clear_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::write_try);
    const resp::decimal life(life_.count());
    if (lacks(form))
        encode(form, script_words(form, {claim_.full_key, readers_key_of(claim_.full_key),
                                         encoder_.value_of(claim_), life, puts_back_ ? "1" : "0"}));
    return form;
}

command_form downgrade_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::downgrade);
    const resp::decimal life(life_.count());
    if (lacks(form))
        encode(form, script_words(form, {held_.full_key, readers_key_of(held_.full_key), held_.token(),
                                         encoder_.entry_of(reading_), life}));
    return form;
}

void deletion::put_deletion(command_form form, std::string_view key, std::string_view value) {
    if (form == command_form::delex) return encode(form, {"DELEX", key, "IFEQ", value});
    if (form == command_form::delifeq) return encode(form, {"DELIFEQ", key, value});
    if (is_by_hash(form)) return encode(form, encoder_.release_pattern(), key, value);
    encode(form, script_words(form, {key, value}));
}

// For how long the key was handed on, or that it is to be free, with strangers for so many microseconds; and
// what whoever has it next is to know of those.
std::string release_command::row_text() const {
    const core::nanoseconds door = door_ ? door_->opens_for(now_) : core::nanoseconds::zero();
    const bool opens = door > core::nanoseconds::zero() || claim_.row.is_over(now_);
    std::string text(opens ? key_is_to_be_free : std::string_view());
    if (opens && !door_) return text;
    const core::nanoseconds told = opens ? door : claim_.row.length(now_);
    text.append(resp::decimal(std::chrono::floor<std::chrono::microseconds>(told).count()));
    if (door_) append_sight(text, opens ? door_->sight_behind(door, now_) : door_->sight(now_));
    return text;
}

void release_command::put(command_form form) {
    if (claim_.reads())
        return encode(form, {"ZREM", readers_key_of(claim_.full_key), encoder_.entry_of(claim_)});
    if (is_script(form) && script_of(form) == script::queue) {
        const resp::decimal ticket(claim_.ticket());
        return encode(form, script_words(form, {claim_.full_key, queue_key_of(claim_.full_key),
                                                claim_.token(), ticket, row_text()}));
    }
    if (planted(core::mistake::delete_without_compare)) return encode(form, {"DEL", claim_.full_key});
    if (is_script(form) && script_of(form) == script::release_retold)
        return encode(form, script_words(form, {claim_.full_key, claim_.token()}));
    put_deletion(form, claim_.full_key, encoder_.value_of(claim_));
}

command_form remove_command::put_for(const server_dialect& d) {
    const command_form form = d.release();
    if (lacks(form)) put_deletion(form, key_, value_);
    return form;
}

command_form extend_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const resp::decimal life(life_.count());
    if (claim_.mode() != mode::exclusive) {
        const command_form shared = d.run(claim_.reads() ? script::read_extend : script::write_extend);
        // What stands behind the token is that of the lease, where the key has to be put back.
        std::string value(claim_.token());
        const resp::decimal token(fence_.token);
        if (claim_.is_fenced()) value.append(1, ':').append(std::string_view(token));
        value.append(encoder_.ending(claim_.is_fenced()));
        const std::string_view what = claim_.reads() ? encoder_.entry_of(claim_) : std::string_view(value);
        if (lacks(shared))
            encode(shared,
                   script_words(shared, {claim_.full_key, readers_key_of(claim_.full_key), what, life}));
        return shared;
    }
    const command_form form = d.run(extension_of(claim_.is_fenced()));
    if (!lacks(form)) return form;
    if (!claim_.is_fenced()) {
        encode(form, script_words(form, {claim_.full_key, encoder_.value_of(claim_), life}));
        return form;
    }
    claim_.retold = true;
    const resp::decimal token(fence_.token);
    const resp::decimal retention(fence_.retention.count());
    const std::string_view words[] = {
        claim_.full_key, fence_key_of(claim_.full_key), claim_.token(), life, token,
        retention,       encoder_.ending(true)};
    encode(form, script_words(form, without_empty_end(words)));
    return form;
}

command_form advance_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const bool reads = claim_.reads();
    const command_form form = d.run(reads ? script::read_advance : script::advance_fence);
    if (!lacks(form)) return form;
    claim_.retold = !reads;
    const resp::decimal token(fence_.token);
    const resp::decimal retention(fence_.retention.count());
    const std::string_view held = reads ? readers_key_of(claim_.full_key) : std::string_view(claim_.full_key);
    const std::string_view ours = reads ? encoder_.entry_of(claim_) : claim_.token();
    const std::string_view words[] = {held,      fence_key_of(claim_.full_key),
                                      ours,      token,
                                      retention, reads ? std::string_view() : encoder_.ending(true)};
    encode(form, script_words(form, without_empty_end(words)));
    return form;
}

command_form raise_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::zadd_gt;
    const resp::decimal token(token_);
    const std::string_view to = token_ != 0 ? std::string_view(token) : claim_.proposal_text();
    if (lacks(form)) encode(form, {"ZADD", fence_key_of(claim_.full_key), "GT", "CH", to, "fence"});
    return form;
}

command_form expire_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::only;
    if (lacks(form))
        encode(form, {"PEXPIRE", fence_key_of(claim_.full_key), resp::decimal(retention_.count())});
    return form;
}

command_form proclaim_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::proclaim);
    if (!lacks(form)) return form;
    const leader_info& now = *proclaimed_by(claim_);
    const resp::decimal term(now.mark.term);
    const resp::decimal version(now.mark.version);
    encode(form, script_words(form, {claim_.full_key, leader_key_of(claim_.full_key), claim_.token(), term,
                                     version, now.value}));
    return form;
}

command_form withdraw_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = by_text(script::withdraw);
    const resp::decimal term(term_);
    if (lacks(form)) encode(form, script_words(form, {leader_key_of(key_), term}));
    return form;
}

template <key_question What>
command_form question_command<What>::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::only;
    if (!lacks(form)) return form;
    if constexpr (What == key_question::value) encode(form, {"GET", key_});
    if constexpr (What == key_question::life) encode(form, {"PTTL", key_});
    if constexpr (What == key_question::leader) encode(form, {"GET", leader_key_of(key_)});
    if constexpr (What == key_question::leader_life) encode(form, {"PTTL", leader_key_of(key_)});
    if constexpr (What == key_question::fence) encode(form, {"ZSCORE", fence_key_of(key_), "fence"});
    return form;
}
template class question_command<key_question::value>;
template class question_command<key_question::life>;
template class question_command<key_question::fence>;
template class question_command<key_question::leader>;
template class question_command<key_question::leader_life>;

command_form readers_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::readers);
    if (lacks(form)) encode(form, script_words(form, {key_, readers_key_of(key_)}));
    return form;
}

command_form remove_readers_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::only;
    if (!lacks(form)) return form;
    std::vector<std::string_view> words{"ZREM", readers_key_of(key_)};
    words.insert(words.end(), entries_.begin(), entries_.end());
    encode(form, std::span<const std::string_view>(words));
    return form;
}

// The name of the channel has the database in it.
template <channel_request What>
command_form channel_command<What>::put_for(const server_dialect& d) {
    const unsigned database = d.database();
    if (!lacks(database)) return command_form::only;
    const std::string channel = keyspace_channel(database, key_);
    if constexpr (What == channel_request::subscribe) encode(database, {"SUBSCRIBE", channel});
    if constexpr (What == channel_request::unsubscribe) encode(database, {"UNSUBSCRIBE", channel});
    if constexpr (What == channel_request::listeners) encode(database, {"PUBSUB", "NUMSUB", channel});
    return command_form::only;
}
template class channel_command<channel_request::subscribe>;
template class channel_command<channel_request::unsubscribe>;
template class channel_command<channel_request::listeners>;

command_form caching_command::put_for(const server_dialect&) {
    if (lacks(command_form::only)) encode(command_form::only, {"CLIENT", "CACHING", "YES"});
    return command_form::only;
}

command_form plain_command::put_for(const server_dialect&) {
    if (lacks(command_form::only)) encode(command_form::only, words_);
    return command_form::only;
}

} // namespace redlock::redis
