#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::test {

/// Reads the bytes several times, in one piece, byte by byte and in pieces of random sizes, under generous
/// and under narrow limits. Says what differs when not all readings of one sort come to the same messages and
/// problem.
std::optional<std::string> disagreement(std::string_view bytes, std::uint64_t seed);

} // namespace redlock::test
