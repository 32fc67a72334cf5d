#include "core/lock_token.hpp"

#include <array>
#include <cstring>

namespace redlock::core {

namespace {

constexpr auto pairs = [] {
    constexpr char digit[] = "0123456789abcdef";
    std::array<std::array<char, 2>, 256> all{};
    for (std::size_t byte = 0; byte < all.size(); ++byte)
        all[byte] = {digit[byte >> 4], digit[byte & 15]};
    return all;
}();

} // namespace

lock_token::lock_token(std::span<const std::uint8_t, random_bytes> bytes) noexcept {
    for (std::size_t i = 0; i < random_bytes; ++i)
        std::memcpy(&digits_[2 * i], pairs[bytes[i]].data(), 2);
}

} // namespace redlock::core
