#pragma once

#include "engines/redis/dialect/encoder.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace redlock::redis {

/// What all commands are: the bytes of one command about one key, while it goes to one node after the other.
/// Nodes that take the same form of it cost one encoding together, and share the bytes until they are
/// written.
///
/// A command lives for as long as it is being sent, and is bound to what it was made with, which it refers
/// to. The encoder must not be cleared before.
class encoded_command {
public:
    encoded_command(const encoded_command&) = delete;
    encoded_command& operator=(const encoded_command&) = delete;

    /// In the form that it was last put in.
    std::string_view bytes() const noexcept { return bytes_; }

protected:
    explicit encoded_command(encoder& by) noexcept : encoder_(by) {}
    ~encoded_command() = default;

    /// Names of what stands beside a lock are put with hash tags from now on, or without.
    void tag_keys(bool wanted) noexcept {
        if (std::exchange(tags_keys_, wanted) != wanted) form_ = no_form;
    }
    std::string_view fence_key_of(std::string_view lock_key) const {
        return encoder_.fence_key_of(lock_key, tags_keys_);
    }
    std::string_view queue_key_of(std::string_view lock_key) const {
        return encoder_.queue_key_of(lock_key, tags_keys_);
    }

    std::string_view leader_key_of(std::string_view lock_key) const {
        return encoder_.leader_key_of(lock_key, tags_keys_);
    }
    std::string_view readers_key_of(std::string_view lock_key) const {
        return encoder_.readers_key_of(lock_key, tags_keys_);
    }

    /// Whether the bytes are not there in this form, of the command's own numbering.
    template <class Form>
    bool lacks(Form form) const noexcept {
        return form_ != static_cast<std::uint32_t>(form);
    }

    // What they are in it. Throw std::bad_alloc.
    template <class Form>
    void encode(Form form, std::span<const std::string_view> words) {
        is_now(form, encoder_.batch().append(words));
    }
    template <class Form>
    void encode(Form form, std::initializer_list<std::string_view> words) {
        encode(form, std::span(words.begin(), words.size()));
    }
    template <class Form>
    void encode(Form form, const resp::command_pattern& pattern, std::string_view key,
                std::string_view value) {
        is_now(form, encoder_.batch().append(pattern, key, value));
    }

    encoder& encoder_;

private:
    static constexpr std::uint32_t no_form = std::numeric_limits<std::uint32_t>::max();

    template <class Form>
    void is_now(Form form, std::string_view bytes) noexcept {
        bytes_ = bytes;
        form_ = static_cast<std::uint32_t>(form);
    }

    std::string_view bytes_;
    std::uint32_t form_ = no_form;
    bool tags_keys_ = false;
};

} // namespace redlock::redis
