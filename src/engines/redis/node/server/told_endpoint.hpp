#pragma once

#include "engines/redis/node/address.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::node {

/// Whether it is such a word as servers give names in: printable, without blanks, and not too long.
inline bool is_told_word(std::string_view text, std::size_t longest) noexcept {
    return !text.empty() && text.size() <= longest &&
           std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

/// Where a server says that another one is; nothing where nobody can be.
inline std::optional<endpoint> told_endpoint(std::string_view host, std::uint64_t port) {
    constexpr std::size_t longest_host = 253; // RFC 1035, without the length bytes
    if (!is_told_word(host, longest_host) || port == 0 || port > 65'535) return std::nullopt;
    return endpoint{.host = std::string(host), .port = static_cast<std::uint16_t>(port)};
}

} // namespace redlock::node
