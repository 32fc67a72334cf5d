#include "engines/zookeeper/rule/key_folder.hpp"

#include "core/lock_token.hpp"

#include <algorithm>
#include <charconv>

namespace redlock::zookeeper {

namespace {

constexpr std::string_view hex_digits = "0123456789ABCDEF";

bool stands_for_itself(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:@+,=~#!$()*;").find(c) != std::string_view::npos;
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

std::string place_name(std::string_view token) { return std::string(token) + '.'; }

std::optional<place_node> read_place(std::string_view name) {
    constexpr std::size_t size = core::lock_token::size;
    if (name.size() < size + 2 || name[size] != '.' || !core::read_token(name.substr(0, size)))
        return std::nullopt;
    place_node found{.name = std::string(name), .token = std::string(name.substr(0, size))};
    const std::string_view digits = name.substr(size + 1);
    const char* const end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, found.sequence);
    if (error != std::errc() || behind != end) return std::nullopt;
    return found;
}

} // namespace redlock::zookeeper
