#pragma once

#include "core/queue/open_door.hpp"
#include "engines/redis/dialect/encoded_command.hpp"
#include "engines/redis/dialect/server_dialect.hpp"
#include "engines/redis/quorum/claim.hpp"

#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace redlock::redis {

// The commands of locks. `put_for` encodes what a server takes, unless it is encoded so already, and says in
// which form that is. It throws std::bad_alloc. What the replies say stands in answers.hpp.

/// `SET key token NX GET PX life`: puts the key there if it is free. To read, enters among those who do.
class set_command final : public encoded_command {
public:
    set_command(encoder& by, const claim& c, std::chrono::milliseconds life) noexcept
        : encoded_command(by), claim_(c), life_(life) {}
    command_form put_for(const server_dialect& d) {
        if (claim_.reads()) [[unlikely]]
            return put_to_read(d);
        const command_form form = d.set();
        if (lacks(form)) put(form);
        return form;
    }

private:
    void put(command_form form);
    command_form put_to_read(const server_dialect& d);

    const claim& claim_;
    const std::chrono::milliseconds life_;
};

/// Extends the key of one who writes, puts it back where it is missing and that is wanted, and asks whether
/// anybody reads.
class clear_command final : public encoded_command {
public:
    clear_command(encoder& by, const claim& c, std::chrono::milliseconds life, bool puts_back) noexcept
        : encoded_command(by), claim_(c), life_(life), puts_back_(puts_back) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& claim_;
    const std::chrono::milliseconds life_;
    const bool puts_back_;
};

/// Enters among those who read, beside what is ours for writing.
class downgrade_command final : public encoded_command {
public:
    downgrade_command(encoder& by, const claim& held, const claim& reading,
                      std::chrono::milliseconds life) noexcept
        : encoded_command(by), held_(held), reading_(reading), life_(life) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& held_;
    const claim& reading_;
    const std::chrono::milliseconds life_;
};

/// What two have in common.
class deletion : public encoded_command {
protected:
    using encoded_command::encoded_command;
    /// Of the key if it has this value.
    void put_deletion(command_form form, std::string_view key, std::string_view value);
};

/// Deletes the key if it is the claim's; where others wait in a queue, hands it to the first of them, or,
/// when it was handed on for long enough by now, deletes it and tells the first of them. For a time that
/// strangers need it stays free then.
class release_command final : public deletion {
public:
    /// `door`: what is known of strangers at the key; null when nothing is.
    release_command(encoder& by, const claim& c, core::instant now,
                    const core::open_door* door = nullptr) noexcept
        : deletion(by), claim_(c), now_(now), door_(door && door->is_known(now) ? door : nullptr) {}
    command_form put_for(const server_dialect& d) {
        tag_keys(d.tags_keys());
        const command_form form = form_for(d);
        if (lacks(form)) put(form);
        return form;
    }

private:
    command_form form_for(const server_dialect& d) const noexcept {
        if (claim_.reads()) return command_form::only;
        if (claim_.waited_for) return d.run(script::queue);
        return claim_.retold ? d.run(script::release_retold) : d.release();
    }
    void put(command_form form);

    std::string row_text() const;

    const claim& claim_;
    const core::instant now_;
    const core::open_door* const door_;
};

/// Deletes the key if it has this value, whoever put it there.
class remove_command final : public deletion {
public:
    remove_command(encoder& by, std::string_view key, std::string_view value) noexcept
        : deletion(by), key_(key), value_(value) {}
    command_form put_for(const server_dialect& d);

private:
    const std::string_view key_;
    const std::string_view value_;
};

/// A fencing token, and how long a fence outlives its last use.
struct fence_mark {
    std::uint64_t token;
    std::chrono::milliseconds retention;
};

/// Extends the key if it is ours, puts it back if it is missing; with fencing, raises the fence to the mark.
class extend_command final : public encoded_command {
public:
    extend_command(encoder& by, const claim& c, std::chrono::milliseconds life,
                   const fence_mark& fence) noexcept
        : encoded_command(by), claim_(c), life_(life), fence_(fence) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& claim_;
    const std::chrono::milliseconds life_;
    const fence_mark fence_;
};

/// Raises the fence by at least one, and to the mark, if the key is ours.
class advance_fence_command final : public encoded_command {
public:
    advance_fence_command(encoder& by, const claim& c, const fence_mark& fence) noexcept
        : encoded_command(by), claim_(c), fence_(fence) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& claim_;
    const fence_mark fence_;
};

/// `ZADD fence GT CH`: raises the fence of the key to the claim's proposal, whoever has the key. An
/// `expire_fence_command` follows where needed; nobody wants its reply.
class raise_fence_command final : public encoded_command {
public:
    raise_fence_command(encoder& by, const claim& c) noexcept : encoded_command(by), claim_(c) {}
    /// To this, in the place of the proposal.
    raise_fence_command(encoder& by, const claim& c, std::uint64_t token) noexcept
        : encoded_command(by), claim_(c), token_(token) {}
    command_form put_for(const server_dialect&);

private:
    const claim& claim_;
    const std::uint64_t token_ = 0;
};

class expire_fence_command final : public encoded_command {
public:
    expire_fence_command(encoder& by, const claim& c, std::chrono::milliseconds retention) noexcept
        : encoded_command(by), claim_(c), retention_(retention) {}
    command_form put_for(const server_dialect&);

private:
    const claim& claim_;
    const std::chrono::milliseconds retention_;
};

/// Puts what the holder of a key proclaims beside it, where the key is his.
class proclaim_command final : public encoded_command {
public:
    /// Of a claim whose holder has proclaimed something.
    proclaim_command(encoder& by, const claim& c) noexcept : encoded_command(by), claim_(c) {}
    command_form put_for(const server_dialect& d);

private:
    const claim& claim_;
};

/// Deletes what stands there of this term, and of those before. Always with its text, for nobody waits for
/// the reply.
class withdraw_command final : public encoded_command {
public:
    withdraw_command(encoder& by, std::string_view key, std::uint64_t term) noexcept
        : encoded_command(by), key_(key), term_(term) {}
    command_form put_for(const server_dialect& d);

private:
    const std::string_view key_;
    const std::uint64_t term_;
};

/// What is asked of a key.
enum class key_question : std::uint8_t {
    value,      ///< `GET`
    life,       ///< `PTTL`
    fence,      ///< `ZSCORE` of its fence
    leader,     ///< `GET` of what its leader has proclaimed
    leader_life ///< `PTTL` of that
};

template <key_question What>
class question_command final : public encoded_command {
public:
    question_command(encoder& by, std::string_view key) noexcept : encoded_command(by), key_(key) {}
    command_form put_for(const server_dialect&);

private:
    const std::string_view key_;
};
using value_command = question_command<key_question::value>;
using life_command = question_command<key_question::life>;
using fence_command = question_command<key_question::fence>;
using leader_command = question_command<key_question::leader>;
using leader_life_command = question_command<key_question::leader_life>;

/// Who reads a key.
class readers_command final : public encoded_command {
public:
    readers_command(encoder& by, std::string_view key) noexcept : encoded_command(by), key_(key) {}
    command_form put_for(const server_dialect& d);

private:
    const std::string_view key_;
};

/// `ZREM`: takes entries away from those who read a key.
class remove_readers_command final : public encoded_command {
public:
    remove_readers_command(encoder& by, std::string_view key,
                           std::span<const std::string_view> entries) noexcept
        : encoded_command(by), key_(key), entries_(entries) {}
    command_form put_for(const server_dialect& d);

private:
    const std::string_view key_;
    const std::span<const std::string_view> entries_;
};

/// About the channel on which a server publishes what happens to a key.
enum class channel_request : std::uint8_t {
    subscribe,   ///< one reply: the push that confirms it
    unsubscribe, ///< likewise
    listeners    ///< `PUBSUB NUMSUB`
};

template <channel_request What>
class channel_command final : public encoded_command {
public:
    static constexpr bool is_subscription = What != channel_request::listeners;

    channel_command(encoder& by, std::string_view key) noexcept : encoded_command(by), key_(key) {}
    command_form put_for(const server_dialect& d);

private:
    const std::string_view key_;
};
using subscribe_command = channel_command<channel_request::subscribe>;
using unsubscribe_command = channel_command<channel_request::unsubscribe>;
using listeners_command = channel_command<channel_request::listeners>;

/// `CLIENT CACHING YES`: what the next command reads is told when it changes. Not without `CLIENT TRACKING`.
class caching_command final : public encoded_command {
public:
    explicit caching_command(encoder& by) noexcept : encoded_command(by) {}
    command_form put_for(const server_dialect&);
};

/// Any other.
class plain_command final : public encoded_command {
public:
    plain_command(encoder& by, std::initializer_list<std::string_view> words) noexcept
        : encoded_command(by), words_(words.begin(), words.size()) {}
    plain_command(encoder& by, std::span<const std::string_view> words) noexcept
        : encoded_command(by), words_(words) {}
    command_form put_for(const server_dialect&);

private:
    const std::span<const std::string_view> words_;
};

} // namespace redlock::redis
