#include "sim/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace redlock::sim {

namespace {

struct known_command {
    std::string_view name;
    int size; ///< at least as many if negative, as in the tables of Redis
};

constexpr known_command known_commands[] = {
    {"GET", 2},       {"SET", -3},
    {"MGET", -2},     {"DEL", -2},
    {"EXISTS", -2},   {"PTTL", 2},
    {"ZADD", -4},     {"PEXPIRE", 3},
    {"PEXPIREAT", 3}, {"DELEX", -2},
    {"DELIFEQ", 3},   {"ZREM", -3},
    {"ZSCORE", 3},    {"ZRANK", 3},
    {"ZRANGE", -4},   {"ZCARD", 2},
    {"HSET", -4},     {"HGET", 3},
    {"ZPOPMIN", -2},  {"HDEL", -3},
    {"HINCRBY", 4},   {"ZRANGEBYSCORE", -4},
    {"TIME", 1},      {"PUBSUB", -2},
    {"PUBLISH", 3},   {"ZREMRANGEBYSCORE", 4},
};

} // namespace

std::string upper(std::string_view word) {
    std::string out(word);
    std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    return out;
}

arity arity_of(std::string_view name, std::size_t size) noexcept {
    const auto* const found = std::ranges::find(known_commands, name, &known_command::name);
    if (found == std::end(known_commands)) return arity::unknown;
    const int given = static_cast<int>(size);
    return (found->size < 0 ? given >= -found->size : given == found->size) ? arity::fits : arity::wrong;
}

std::optional<std::int64_t> integer_in(const std::string& word) {
    std::int64_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    // Redis takes no other text of it: no "007".
    if (std::to_string(number) != word) return std::nullopt;
    return number;
}

std::optional<double> number_in(const std::string& word) {
    if (word.empty() || std::isspace(static_cast<unsigned char>(word[0]))) return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || std::isnan(number)) return std::nullopt;
    return number;
}

std::string text_of(double number) { return fmt::format("{:.17g}", number); }

} // namespace redlock::sim
