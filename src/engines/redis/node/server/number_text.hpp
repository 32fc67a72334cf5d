#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace redlock::node {

/// The whole text as a number from 0 to `most`; nothing when it is none. What servers say is read by it.
inline std::optional<std::uint64_t> number_up_to(std::uint64_t most, std::string_view text) noexcept {
    std::uint64_t number = 0;
    const auto end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end || number > most) return std::nullopt;
    return number;
}

} // namespace redlock::node
