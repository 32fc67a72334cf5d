#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace redlock::core {

/// The SHA-256 of bytes (FIPS 180-4), as eight words of it. Not for secrets.
std::array<std::uint32_t, 8> sha256(std::string_view bytes) noexcept;

} // namespace redlock::core
