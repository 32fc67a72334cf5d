#pragma once

#include <redlock/leader_info.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace redlock::core {

/// What a leader has proclaimed, as it stands beside his key: `TERM:VERSION:VALUE`, the two numbers in digits
/// of a fixed count, so that the order of the bytes is that of the marks. A service that compares bytes
/// compares marks.
std::string leader_record(const leader_mark& mark, std::string_view value);

/// So many bytes stand in front of the value.
inline constexpr std::size_t leader_record_head = 40;

/// The term of a record that was made here; 0 of an empty one.
std::uint64_t term_of_record(std::string_view record) noexcept;
/// All records of that term are behind the first of these texts, and before the second.
std::string before_records_of(std::uint64_t term);
std::string behind_records_of(std::uint64_t term);
/// Of the records of its term those are behind this text that have its version, or a later one.
std::string before_version_of(std::string_view record);

/// Nothing where it is none: the work of somebody else.
std::optional<leader_info> read_leader_record(std::string_view text);

} // namespace redlock::core
