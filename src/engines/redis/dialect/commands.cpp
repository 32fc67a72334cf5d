#include "engines/redis/dialect/commands.hpp"

#include "core/mistake.hpp"
#include "engines/redis/dialect/push.hpp"
#include "engines/redis/dialect/script_words.hpp"
#include "engines/redis/resp/command.hpp"

#include <array>

namespace redlock::redis {

namespace {

// In the place of a row's length: it is over.
constexpr std::string_view key_is_to_be_free = "-";

} // namespace

void set_command::put(command_form form) {
    const bool returns_holder = form == command_form::set_returning_holder;
    encode(form, encoder_.set_pattern(life_, returns_holder), claim_.full_key, claim_.value());
}

void deletion::put_deletion(command_form form, std::string_view key, std::string_view value) {
    if (form == command_form::delex) return encode(form, {"DELEX", key, "IFEQ", value});
    if (form == command_form::delifeq) return encode(form, {"DELIFEQ", key, value});
    if (is_by_hash(form)) return encode(form, encoder_.release_pattern(), key, value);
    encode(form, script_words(form, {key, value}));
}

void release_command::put(command_form form) {
    if (is_script(form) && script_of(form) == script::queue) {
        const resp::decimal ticket(claim_.ticket());
        const resp::decimal row(
            std::chrono::floor<std::chrono::microseconds>(claim_.row.length(now_)).count());
        return encode(
            form, script_words(form, {claim_.full_key, queue_key_of(claim_.full_key), claim_.token(), ticket,
                                      claim_.row.is_over(now_) ? key_is_to_be_free : row.text()}));
    }
    if (planted(core::mistake::delete_without_compare)) return encode(form, {"DEL", claim_.full_key});
    if (is_script(form) && script_of(form) == script::release_retold)
        return encode(form, script_words(form, {claim_.full_key, claim_.token()}));
    put_deletion(form, claim_.full_key, claim_.value());
}

void joint_release_command::put(command_form form) {
    const bool known = is_by_hash(form);
    const resp::decimal number(static_cast<std::int64_t>(claims_.size()));
    std::array<std::string_view, 3 + 2 * most_keys> words{
        known ? "EVALSHA" : "EVAL",
        known ? hash_of(script::release_several) : text_of(script::release_several), number};
    auto end = words.begin() + 3;
    for (const claim* const c : claims_)
        *end++ = c->full_key;
    for (const claim* const c : claims_)
        *end++ = c->value();
    encode(form, std::span<const std::string_view>(words.begin(), end));
}

command_form remove_command::put_for(const server_dialect& d) {
    const command_form form = d.release();
    if (lacks(form)) put_deletion(form, key_, value_);
    return form;
}

command_form extend_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(extension_of(claim_.is_fenced()));
    if (!lacks(form)) return form;
    const resp::decimal life(life_.count());
    if (!claim_.is_fenced()) {
        encode(form, script_words(form, {claim_.full_key, claim_.token(), life}));
        return form;
    }
    claim_.retold = true;
    const resp::decimal token(fence_.token);
    const resp::decimal retention(fence_.retention.count());
    encode(form, script_words(form, {claim_.full_key, fence_key_of(claim_.full_key), claim_.token(), life,
                                     token, retention}));
    return form;
}

command_form advance_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    const command_form form = d.run(script::advance_fence);
    if (!lacks(form)) return form;
    claim_.retold = true;
    const resp::decimal token(fence_.token);
    const resp::decimal retention(fence_.retention.count());
    encode(form, script_words(form, {claim_.full_key, fence_key_of(claim_.full_key), claim_.token(), token,
                                     retention}));
    return form;
}

command_form raise_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::zadd_gt;
    if (lacks(form))
        encode(form, {"ZADD", fence_key_of(claim_.full_key), "GT", "CH", claim_.proposal_text(), "fence"});
    return form;
}

command_form expire_fence_command::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::only;
    if (lacks(form))
        encode(form, {"PEXPIRE", fence_key_of(claim_.full_key), resp::decimal(retention_.count())});
    return form;
}

template <key_question What>
command_form question_command<What>::put_for(const server_dialect& d) {
    tag_keys(d.tags_keys());
    constexpr command_form form = command_form::only;
    if (!lacks(form)) return form;
    if constexpr (What == key_question::value) encode(form, {"GET", key_});
    if constexpr (What == key_question::life) encode(form, {"PTTL", key_});
    if constexpr (What == key_question::fence) encode(form, {"ZSCORE", fence_key_of(key_), "fence"});
    return form;
}
template class question_command<key_question::value>;
template class question_command<key_question::life>;
template class question_command<key_question::fence>;

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
