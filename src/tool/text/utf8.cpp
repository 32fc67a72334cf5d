#include "text/utf8.hpp"

#include <algorithm>
#include <array>

namespace redlock::tool {
namespace {

struct code_range {
    char32_t first;
    char32_t last;
};

constexpr std::array steering{
    code_range{0x00, 0x1f},     code_range{0x7f, 0x9f},     code_range{0xad, 0xad},
    code_range{0x200b, 0x200f}, code_range{0x2028, 0x202e}, code_range{0x2060, 0x206f},
    code_range{0xfeff, 0xfeff}, code_range{0xfff9, 0xfffb}, code_range{0xe0000, 0xe0fff}};

struct form {
    unsigned char mask;
    unsigned char mark;
    char32_t least; ///< what is lower has a shorter form
};

// By the number of bytes that follow the first one.
constexpr std::array forms{form{0x80, 0x00, 0}, form{0xe0, 0xc0, 0x80}, form{0xf0, 0xe0, 0x800},
                           form{0xf8, 0xf0, 0x10000}};

} // namespace

utf8_piece first_piece(std::string_view text) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const utf8_piece broken{.bytes = text.substr(0, 1), .code = byte(0), .valid = false};
    for (std::size_t more = 0; more < forms.size(); ++more) {
        const form& f = forms[more];
        if ((byte(0) & f.mask) != f.mark) continue;
        if (text.size() <= more) return broken;
        char32_t code = byte(0) & static_cast<unsigned char>(~f.mask);
        for (std::size_t i = 1; i <= more; ++i) {
            if ((byte(i) & 0xc0) != 0x80) return broken;
            code = code << 6 | (byte(i) & 0x3f);
        }
        const bool surrogate = code >= 0xd800 && code <= 0xdfff;
        if (code < f.least || code > 0x10ffff || surrogate) return broken;
        return {.bytes = text.substr(0, more + 1), .code = code, .valid = true};
    }
    return broken;
}

bool is_steering(char32_t code) noexcept {
    return std::ranges::any_of(steering,
                               [=](const code_range& r) { return code >= r.first && code <= r.last; });
}

} // namespace redlock::tool
