#pragma once

#include "core/lock_token.hpp"
#include "core/queue/handover_row.hpp"
#include "engine/claim.hpp"

#include <redlock/detail/pool.hpp>
#include <redlock/leader_info.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace redlock::redis {

/// What one try of an acquire writes: its key and its token, with fencing also the fencing token that it
/// proposes. Once it was given back it is never written again.
class claim : public engine::claim {
    // In this order, the first of them in the room that the base class leaves: so it is two lines of memory.
    std::uint8_t value_size_ = core::lock_token::size;

public:
    /// A node was asked for a command that may have changed what stands behind the token: the value of the
    /// key need not be `value` everywhere.
    mutable bool retold = false;
    /// Others wait for the key in queues of the nodes, or this one did: it is given back there.
    mutable bool waited_for = false;
    /// Of hand-overs that brought it here.
    mutable core::handover_row row;

private:
    static constexpr std::int32_t nobody_waits = std::numeric_limits<std::int32_t>::max();
    mutable std::int32_t first_waiting_ = nobody_waits; ///< a ticket, less the own one
    static constexpr std::size_t digits_of_fence = 16;  ///< 2^53 is the highest there is
    std::array<char, core::lock_token::size + 1 + digits_of_fence> value_;

public:
    /// `proposed_fence` 0 stands for no fencing.
    claim(std::string_view prefix, engine::key_name&& key, const core::lock_token& lock_token,
          std::uint64_t proposed_fence = 0)
        : engine::claim(prefix, std::move(key)) {
        write_value(lock_token, proposed_fence);
    }

    /// The same key with another token and another proposal.
    claim(const claim& other, const core::lock_token& lock_token, std::uint64_t proposed_fence)
        : engine::claim(&other) {
        write_value(lock_token, proposed_fence);
    }

    /// A token of this client for a key, as a node tells of it.
    claim(std::string_view whole_key, const core::token_parts& told)
        : engine::claim({}, detail::key_text(whole_key)) {
        std::memcpy(value_.data(), told.token.data(), told.token.size());
    }

    bool is_fenced() const noexcept { return value_size_ > core::lock_token::size; }
    std::string_view token() const noexcept { return {value_.data(), core::lock_token::size}; }
    /// All tries of a caller have the same.
    std::uint64_t ticket() const noexcept { return core::read_token(token())->ticket; }
    /// What `SET` writes: the token, with fencing also the proposal.
    std::string_view value() const noexcept { return {value_.data(), value_size_}; }
    /// Of a fenced claim, in decimal digits.
    std::string_view proposal_text() const noexcept { return value().substr(core::lock_token::size + 1); }
    /// 0 without fencing.
    std::uint64_t proposal() const noexcept {
        std::uint64_t number = 0;
        if (is_fenced()) std::from_chars(proposal_text().begin(), proposal_text().end(), number);
        return number;
    }

    /// Somebody with this ticket waits for the key.
    void note_waiting(std::uint64_t other) const noexcept {
        const auto after = static_cast<std::int64_t>(other) - static_cast<std::int64_t>(ticket());
        constexpr std::int64_t latest = nobody_waits - 1;
        waited_for = true;
        first_waiting_ =
            std::min(first_waiting_, static_cast<std::int32_t>(std::clamp(after, -latest, latest)));
    }
    /// Whether any were noted.
    bool others_wait() const noexcept { return first_waiting_ != nobody_waits; }
    /// Whether one that waits, of those that were noted, has a lower ticket than this.
    bool is_waited_for_before(std::uint64_t other) const noexcept {
        if (first_waiting_ == nobody_waits) return false;
        const auto after = static_cast<std::int64_t>(other) - static_cast<std::int64_t>(ticket());
        return first_waiting_ < after;
    }

private:
    void write_value(const core::lock_token& lock_token, std::uint64_t proposed_fence) noexcept {
        const std::string_view text = lock_token.text();
        std::memcpy(value_.data(), text.data(), text.size());
        if (proposed_fence == 0) return;
        value_[value_size_++] = ':';
        value_size_ = static_cast<std::uint8_t>(
            std::to_chars(value_.data() + value_size_, value_.data() + value_.size(), proposed_fence).ptr -
            value_.data());
    }
};

// There is one for each lease: with the counts of its owners it takes two lines of memory.
static_assert(sizeof(claim) <= 112);

using claim_pointer = std::shared_ptr<const claim>;

/// Of the engine's own: every claim that it is given is one that it has made.
inline claim_pointer own(engine::claim_pointer made_here) noexcept {
    return std::static_pointer_cast<const claim>(std::move(made_here));
}

/// One that is to lead, with what its holder has proclaimed.
class leading_claim final : public claim {
public:
    using claim::claim;

    /// What all nodes are to have, whether or not they were told; null at first.
    mutable std::unique_ptr<const leader_info> proclaimed;
};

/// Null where nothing was.
inline const leader_info* proclaimed_by(const claim& c) noexcept {
    return c.leads() ? static_cast<const leading_claim&>(c).proclaimed.get() : nullptr;
}

/// As the constructors of `claim` say, but for the first; `of` is the name of the key, or another try to have
/// it.
template <class Of, class... Arguments>
claim_pointer make_claim(bool leads, Of&& of, Arguments&&... arguments) {
    if (leads)
        return std::allocate_shared<const leading_claim>(detail::pool_allocator<leading_claim>(),
                                                         std::forward<Of>(of),
                                                         std::forward<Arguments>(arguments)...);
    return std::allocate_shared<const claim>(detail::pool_allocator<claim>(), std::forward<Of>(of),
                                             std::forward<Arguments>(arguments)...);
}

} // namespace redlock::redis
