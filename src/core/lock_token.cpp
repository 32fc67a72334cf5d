#include "core/lock_token.hpp"

namespace redlock::core {

lock_token::lock_token(std::span<const std::uint8_t, random_bytes> bytes) noexcept {
    static constexpr char digit[] = "0123456789abcdef";
    for (std::size_t i = 0; i < random_bytes; ++i) {
        digits_[2 * i] = digit[bytes[i] >> 4];
        digits_[2 * i + 1] = digit[bytes[i] & 15];
    }
}

} // namespace redlock::core
