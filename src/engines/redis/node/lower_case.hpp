#pragma once

namespace redlock::node {

/// Of an ASCII letter; every other byte as it is.
constexpr char lower_case(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

} // namespace redlock::node
