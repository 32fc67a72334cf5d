#include "core/lock_token.hpp"

namespace redlock::core {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

} // namespace

lock_token::lock_token(std::span<const std::uint8_t, random_bytes> bytes) noexcept {
    char* to = text_.data();
    const auto put = [&to](std::uint32_t three_bytes, int characters) {
        for (int i = 0; i < characters; ++i)
            *to++ = alphabet[three_bytes >> (18 - 6 * i) & 63];
    };
    static_assert(random_bytes % 3 == 2);
    std::size_t i = 0;
    for (; i + 3 <= random_bytes; i += 3)
        put(std::uint32_t{bytes[i]} << 16 | std::uint32_t{bytes[i + 1]} << 8 | bytes[i + 2], 4);
    put(std::uint32_t{bytes[i]} << 16 | std::uint32_t{bytes[i + 1]} << 8, 3);
}

} // namespace redlock::core
