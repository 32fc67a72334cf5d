#pragma once

#include "engines/redis/dialect/scripts.hpp"
#include "engines/redis/quorum/claim.hpp"
#include "engines/redis/resp/command.hpp"
#include "engines/redis/resp/command_batch.hpp"

#include <chrono>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::redis {

/// The forms in which commands about a key are sent, as far as one command may take several.
enum class command_form : unsigned {
    none,
    set_returning_holder,
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

constexpr command_form operator+(command_form form, unsigned variant) noexcept {
    return static_cast<command_form>(static_cast<unsigned>(form) + variant);
}

/// The bytes of one command while it goes to one node after the other: nodes that take the same form of it
/// cost one encoding together, and share the bytes until they are written.
class encoding {
public:
    /// The batch must not be cleared before the nodes were flushed.
    explicit encoding(resp::command_batch& batch) : batch_(batch) {}

    /// What comes next is another command.
    void begin() noexcept { form_ = command_form::none; }

private:
    friend class session;
    /// Whether this form of the command is still to be encoded.
    bool lacks(command_form form) noexcept { return std::exchange(form_, form) != form; }
    void encode(std::span<const std::string_view> words) { bytes_ = batch_.append(words); }
    void encode(std::initializer_list<std::string_view> words) {
        encode(std::span(words.begin(), words.size()));
    }

    void encode(const resp::command_pattern& pattern, std::string_view key, std::string_view value) {
        bytes_ = batch_.append(pattern, key, value);
    }

    /// For the life that was asked for last, in either form: nearly all locks have the same.
    const resp::command_pattern& set_pattern(std::chrono::milliseconds life, bool returns_holder);
    const resp::command_pattern& release_pattern() const noexcept { return release_; }

    std::string_view fence_key_of(std::string_view lock_key) {
        return fence_key_.assign(lock_key).append(claim::fence_suffix);
    }

    resp::command_batch& batch_;
    std::string_view bytes_;
    std::string fence_key_;
    std::chrono::milliseconds life_of_set_{-1};
    resp::command_pattern set_returning_holder_{{}, {}};
    resp::command_pattern plain_set_{{}, {}};
    /// By the hash of its script.
    const resp::command_pattern release_{{"EVALSHA", hash_of(script::release), "1"}, {}};
    command_form form_ = command_form::none;
};

} // namespace redlock::redis
