#include "engines/redis/node/cluster/hash_slot.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <string>

namespace redlock::node {
namespace {

// CRC-16/XMODEM, as the specification has it.
constexpr std::array<std::uint16_t, 256> crc_table = [] {
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
        table[byte] = static_cast<std::uint16_t>(crc);
    }
    return table;
}();

std::uint16_t slot_of_tag(std::string_view tag) noexcept {
    unsigned crc = 0;
    for (const char c : tag)
        crc = (crc << 8 & 0xffff) ^ crc_table[(crc >> 8 ^ static_cast<unsigned char>(c)) & 0xff];
    return static_cast<std::uint16_t>(crc % hash_slots);
}

} // namespace

std::string_view hash_tag(std::string_view key) noexcept {
    const auto open = key.find('{');
    if (open == key.npos) return key;
    const auto close = key.find('}', open);
    if (close == key.npos || close == open + 1) return key;
    return key.substr(open + 1, close - open - 1);
}

std::uint16_t hash_slot(std::string_view key) noexcept { return slot_of_tag(hash_tag(key)); }

void name_beside(std::string& name, std::string_view key, std::string_view suffix) {
    char digits[10];
    std::string_view tag = key;
    std::string_view behind = suffix;
    if (hash_tag(key).size() < key.size()) {
        name = key;
        name += suffix;
        return;
    }
    const bool holds = key.find('}') == key.npos;
    if (!holds) {
        const std::uint16_t wanted = slot_of_tag(key);
        tag = {};
        for (unsigned n = 0; tag.empty() || slot_of_tag(tag) != wanted; ++n) {
            const char* const end = std::to_chars(digits, digits + sizeof digits, n).ptr;
            tag = {digits, static_cast<std::size_t>(end - digits)};
        }
        behind = key;
    }
    name = '{';
    name += tag;
    name += '}';
    name += behind;
    if (!holds) name += suffix;
}

std::string_view key_beside(std::string_view name, std::string_view suffix) {
    assert(name.ends_with(suffix));
    const std::string_view whole = name.substr(0, name.size() - suffix.size());
    const auto tag = whole.starts_with('{') ? hash_tag(whole) : std::string_view();
    if (tag.empty() || tag.size() == whole.size()) return whole; // braces that make no tag
    const std::string_view behind = whole.substr(tag.size() + 2);
    const std::string_view key = behind.empty() ? tag : behind;
    std::string again;
    name_beside(again, key, suffix);
    return again == name ? key : whole;
}

} // namespace redlock::node
