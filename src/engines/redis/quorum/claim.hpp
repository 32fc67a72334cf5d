#pragma once

#include "core/lock_token.hpp"

#include <redlock/detail/key_text.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace redlock::lock {

/// What one try of an acquire writes: its key, prefix included, and its token, with fencing also the fencing
/// token that it proposes. Shared by everything that deals with the grant, and by whoever it is handed on to,
/// until the last command about it is settled. Once it was given back it is never written again.
class claim {
public:
    /// `proposed_fence` 0 stands for no fencing.
    claim(std::string_view prefix, detail::key_text&& key, const core::lock_token& lock_token,
          std::uint64_t proposed_fence = 0)
        : full_key(prefix.empty() ? std::move(key) : detail::key_text(prefix, key)),
          proposal(proposed_fence),
          prefix_size_(static_cast<std::uint32_t>(prefix.size())) {
        write_value(lock_token);
    }

    /// The same key with another token and another proposal.
    claim(const claim& other, const core::lock_token& lock_token, std::uint64_t proposed_fence)
        : full_key(other.full_key), proposal(proposed_fence), prefix_size_(other.prefix_size_) {
        write_value(lock_token);
    }

    std::string_view key() const noexcept { return full_key.view().substr(prefix_size_); }
    bool is_fenced() const noexcept { return proposal != 0; }
    std::string_view token() const noexcept { return {value_.data(), core::lock_token::size}; }
    /// What `SET` writes: the token, with fencing also the proposal.
    std::string_view value() const noexcept { return {value_.data(), value_size_}; }
    /// Of a fenced claim, in decimal digits.
    std::string_view proposal_text() const noexcept { return value().substr(core::lock_token::size + 1); }
    /// What stands behind a lock's key in that of its fence: under the same prefix, for the sake of access
    /// rules. No lock may have a key that ends like this.
    static constexpr std::string_view fence_suffix = ":redlock-fence";

    detail::key_text full_key;
    std::uint64_t proposal;
    /// A node was asked for a command that may have changed what stands behind the token: the value of the
    /// key need not be `value` everywhere.
    mutable bool retold = false;

private:
    void write_value(const core::lock_token& lock_token) noexcept {
        const std::string_view text = lock_token.text();
        std::memcpy(value_.data(), text.data(), text.size());
        if (!is_fenced()) return;
        value_[value_size_++] = ':';
        value_size_ = static_cast<std::uint8_t>(
            std::to_chars(value_.data() + value_size_, value_.data() + value_.size(), proposal).ptr -
            value_.data());
    }

    static constexpr std::size_t digits_of_fence = 20;
    std::array<char, core::lock_token::size + 1 + digits_of_fence> value_;
    std::uint8_t value_size_ = core::lock_token::size;
    std::uint32_t prefix_size_;
};

} // namespace redlock::lock
