#include "engines/sql/holder_label.hpp"

#include "core/holder_value.hpp"
#include "core/printable.hpp"

#include <algorithm>

namespace redlock::sql {

namespace {

bool is_ascii(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }

/// Bytes of the character that begins there, 1 to 4; 0 where none does that databases take: overlong forms,
/// surrogates and what is beyond the last code are none.
std::size_t character_size(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xc2 && first <= 0xdf   ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < least || byte(1) > most) return 0;
    for (std::size_t i = 2; i < size; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
    return size;
}

} // namespace

std::string storable_label(std::string_view label, bool speaks_utf8) {
    std::string stored;
    while (!label.empty()) {
        const std::size_t size = speaks_utf8 ? character_size(label) : is_ascii(label.front());
        stored += size > 0 ? label.substr(0, size) : "?";
        label.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return stored;
}

std::string label_beside(std::string_view token, const answer::cell& label) {
    const std::string_view mark = token.substr(token.size() - std::min(token.size(), label_mark));
    const std::string_view text = label ? std::string_view(*label) : std::string_view();
    if (!text.starts_with(mark) || text.size() <= mark.size() || text[mark.size()] != ':') return {};
    return core::printable(text.substr(mark.size() + 1), core::longest_label);
}

} // namespace redlock::sql
