#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace redlock::core {

/// The value a holder writes: 160 random bits in base64url (RFC 4648, section 5, without padding). One for
/// each try, so that a key with this value can only be of that try. A lease that is handed on within the
/// process keeps it. With a fencing token behind it, it takes 44 bytes: what is longer takes Redis two
/// allocations.
class lock_token {
public:
    static constexpr std::size_t random_bytes = 20;
    static constexpr std::size_t size = (8 * random_bytes + 5) / 6; ///< of the text

    explicit lock_token(std::span<const std::uint8_t, random_bytes> bytes) noexcept;

    std::string_view text() const noexcept { return {text_.data(), text_.size()}; }

private:
    std::array<char, size> text_;
};

} // namespace redlock::core
