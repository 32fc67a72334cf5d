#include "text/text_width.hpp"

#include "text/utf8.hpp"

#include <algorithm>
#include <array>

namespace redlock::tool {
namespace {

struct range {
    char32_t first;
    char32_t last;
};

// What East Asian scripts and pictures take two columns for; Unicode Standard Annex 11.
constexpr std::array wide{range{0x1100, 0x115f},   range{0x2e80, 0x303e},  range{0x3041, 0xa4cf},
                          range{0xac00, 0xd7a3},   range{0xf900, 0xfaff},  range{0xfe30, 0xfe6f},
                          range{0xff00, 0xff60},   range{0xffe0, 0xffe6},  range{0x1f300, 0x1f64f},
                          range{0x1f900, 0x1f9ff}, range{0x20000, 0x3fffd}};
// What stands on the character before it.
constexpr std::array combining{range{0x300, 0x36f}, range{0x1ab0, 0x1aff}, range{0x20d0, 0x20ff},
                               range{0xfe00, 0xfe0f}, range{0xfe20, 0xfe2f}};

template <class Ranges>
bool is_in(const Ranges& ranges, char32_t code) noexcept {
    return std::ranges::any_of(ranges, [=](const range& r) { return code >= r.first && code <= r.last; });
}

std::size_t width_of(char32_t code) noexcept {
    if (is_in(combining, code)) return 0;
    return is_in(wide, code) ? 2 : 1;
}

} // namespace

std::size_t display_width(std::string_view text) noexcept {
    std::size_t columns = 0;
    while (!text.empty()) {
        const utf8_piece piece = first_piece(text);
        columns += width_of(piece.code);
        text.remove_prefix(piece.bytes.size());
    }
    return columns;
}

std::string_view fitting(std::string_view text, std::size_t columns) noexcept {
    std::size_t bytes = 0;
    std::size_t used = 0;
    while (bytes < text.size()) {
        const utf8_piece piece = first_piece(text.substr(bytes));
        used += width_of(piece.code);
        if (used > columns) break;
        bytes += piece.bytes.size();
    }
    return text.substr(0, bytes);
}

std::string padded(std::string_view text, std::size_t columns) {
    const std::size_t used = display_width(text);
    return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

std::string padded_left(std::string_view text, std::size_t columns) {
    const std::size_t used = display_width(text);
    return std::string(used < columns ? columns - used : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t begun, std::size_t indent) {
    std::string result;
    std::size_t used = begun;
    bool fresh = begun <= indent; // nothing stands in the line yet
    bool after_word = false;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(word.size());
        if (word.empty()) return result;
        const std::size_t columns = display_width(word);
        const std::size_t blank = after_word ? 1 : 0;
        if (!fresh && used + blank + columns > width) {
            result += '\n' + std::string(indent, ' ');
            used = indent + columns;
        } else {
            result += std::string(blank, ' ');
            used += blank + columns;
        }
        result += word;
        fresh = false;
        after_word = true;
    }
}

} // namespace redlock::tool
