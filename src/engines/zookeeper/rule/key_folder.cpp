#include "engines/zookeeper/rule/key_folder.hpp"

#include "core/lock_token.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace redlock::zookeeper {

namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

bool stands_for_itself(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:@+,=~#!$()*;").find(c) != std::string_view::npos;
}

// What stands behind the token in a name says what it is.
constexpr std::size_t token_size = core::lock_token::size;
constexpr char of_writer = '.';
constexpr char of_reader = ',';
constexpr char of_mark = ':';

/// Behind a token and one of these characters.
template <class Number>
std::optional<Number> number_behind(std::string_view name, std::initializer_list<char> kinds) {
    const bool fits =
        name.size() > token_size + 1 && std::ranges::find(kinds, name[token_size]) != kinds.end();
    if (!fits || !core::read_token(name.substr(0, token_size))) return std::nullopt;
    Number n{};
    const char* const end = name.data() + name.size();
    const auto [behind, error] = std::from_chars(name.data() + token_size + 1, end, n);
    if (error != std::errc() || behind != end) return std::nullopt;
    return n;
}

void append_escaped(std::string& to, char c) {
    const auto byte = static_cast<unsigned char>(c);
    to += '%';
    to += hex_digits[byte >> 4];
    to += hex_digits[byte & 15];
}

} // namespace

// "." and ".." are no names, and "zookeeper" is the server's own at the top.
std::string folder_name(std::string_view full_key) {
    std::string name;
    const bool is_reserved = full_key.starts_with('.') || full_key == "zookeeper";
    for (std::size_t i = 0; i < full_key.size(); ++i) {
        const char c = full_key[i];
        if (stands_for_itself(c) && !(i == 0 && is_reserved))
            name += c;
        else
            append_escaped(name, c);
    }
    return name;
}

std::optional<std::string> key_of_folder(std::string_view name) {
    std::string key;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] != '%') {
            key += name[i];
            continue;
        }
        if (name.size() - i < 3) return std::nullopt;
        const std::size_t high = hex_digits.find(name[i + 1]), low = hex_digits.find(name[i + 2]);
        if (high == hex_digits.npos || low == hex_digits.npos) return std::nullopt;
        key += static_cast<char>(static_cast<unsigned char>(high << 4 | low));
        i += 2;
    }
    if (key.empty() || folder_name(key) != name) return std::nullopt;
    return key;
}

std::string place_name(std::string_view token, bool reads) {
    std::string name(token);
    name += reads ? of_reader : of_writer;
    return name;
}

std::optional<place_node> read_place(std::string_view name) {
    const auto sequence = number_behind<std::int32_t>(name, {of_writer, of_reader});
    if (!sequence) return std::nullopt;
    return place_node{.name = std::string(name),
                      .token = std::string(name.substr(0, token_size)),
                      .sequence = *sequence,
                      .reads = name[token_size] == of_reader};
}

std::string leader_path(const std::string& folder) {
    std::string path = folder + "/";
    path += leader_name;
    return path;
}

std::string mark_name(std::string_view token, std::chrono::milliseconds life) {
    return fmt::format("{}{}{}", token, of_mark, life.count());
}

std::optional<reader_mark> read_mark(std::string_view name) {
    const auto life = number_behind<std::int64_t>(name, {of_mark});
    if (!life || *life < 1) return std::nullopt;
    return reader_mark{.name = std::string(name),
                       .token = std::string(name.substr(0, token_size)),
                       .life = std::chrono::milliseconds(*life)};
}

} // namespace redlock::zookeeper
