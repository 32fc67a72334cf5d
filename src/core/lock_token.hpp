#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace redlock::core {

/// The value a holder writes: 160 random bits as 40 hexadecimal digits. One for each try, so that a
/// key with this value can only be of that try. A lease that is handed on within the process keeps it.
class lock_token {
public:
    static constexpr std::size_t random_bytes = 20;
    static constexpr std::size_t size = 2 * random_bytes; ///< of the text

    explicit lock_token(std::span<const std::uint8_t, random_bytes> bytes) noexcept;

    std::string_view text() const noexcept { return {digits_.data(), digits_.size()}; }

private:
    std::array<char, size> digits_;
};

} // namespace redlock::core
