#pragma once

#include "core/lock_token.hpp"
#include "engine/claim.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace redlock::redis {

/// What one try of an acquire writes: its key and its token, with fencing also the fencing token that it
/// proposes. Once it was given back it is never written again.
class claim final : public engine::claim {
    std::uint8_t value_size_ = core::lock_token::size; // in the room that the base class leaves

public:
    /// `proposed_fence` 0 stands for no fencing.
    claim(std::string_view prefix, detail::key_text&& key, const core::lock_token& lock_token,
          std::uint64_t proposed_fence = 0)
        : engine::claim(prefix, std::move(key)), proposal(proposed_fence) {
        write_value(lock_token);
    }

    /// The same key with another token and another proposal.
    claim(const claim& other, const core::lock_token& lock_token, std::uint64_t proposed_fence)
        : engine::claim(&other), proposal(proposed_fence) {
        write_value(lock_token);
    }

    bool is_fenced() const noexcept { return proposal != 0; }
    std::string_view token() const noexcept { return {value_.data(), core::lock_token::size}; }
    /// All tries of a caller have the same.
    std::uint64_t ticket() const noexcept { return core::read_token(token())->ticket; }
    /// What `SET` writes: the token, with fencing also the proposal.
    std::string_view value() const noexcept { return {value_.data(), value_size_}; }
    /// Of a fenced claim, in decimal digits.
    std::string_view proposal_text() const noexcept { return value().substr(core::lock_token::size + 1); }

    /// A node was asked for a command that may have changed what stands behind the token: the value of the
    /// key need not be `value` everywhere.
    mutable bool retold = false;

    const std::uint64_t proposal;

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
};

// There is one for each lease: with the counts of its owners it takes two lines of memory.
static_assert(sizeof(claim) <= 112);

using claim_pointer = std::shared_ptr<const claim>;

/// Of the engine's own: every claim that it is given is one that it has made.
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

} // namespace redlock::redis
