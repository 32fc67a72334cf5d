#include "text/printable.hpp"

#include "text/utf8.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace redlock::tool {

charset charset_of_environment() {
    for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* const given = std::getenv(name);
        if (!given || !*given) continue;
        const std::string_view locale(given);
        for (const char* const spelling : {"UTF-8", "utf8", "utf-8", "UTF8"})
            if (locale.find(spelling) != locale.npos) return charset::utf8;
        return charset::ascii;
    }
    return charset::ascii;
}

std::string printable(std::string_view words, charset known) {
    std::string text;
    while (!words.empty()) {
        const utf8_piece piece = first_piece(words);
        words.remove_prefix(piece.bytes.size());
        const bool readable = piece.code < 0x80 || known == charset::utf8;
        if (piece.valid && readable && !is_steering(piece.code)) {
            text += piece.bytes;
            continue;
        }
        for (const char byte : piece.bytes)
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return text;
}

} // namespace redlock::tool
