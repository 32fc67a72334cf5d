#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::sim {

using words = std::vector<std::string>;

std::string upper(std::string_view word);

/// Whether the servers have a command, and whether it may have that many words, its name counted.
enum class arity { fits, wrong, unknown };
/// `name` is in capitals.
arity arity_of(std::string_view name, std::size_t size) noexcept;

/// As Redis reads numbers: the whole word is one, or there is none.
std::optional<std::int64_t> integer_in(const std::string& word);
std::optional<double> number_in(const std::string& word);
/// As Redis writes a score, and a number that a script gives to a command.
std::string text_of(double number);

} // namespace redlock::sim
