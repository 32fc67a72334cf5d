#include "terminal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace redlock::tool {

bool has_colour(std::FILE* stream) {
    const char* const unwanted = std::getenv("NO_COLOR");
    if (unwanted && *unwanted) return false;
    const char* const kind = std::getenv("TERM");
    return kind && std::string_view(kind) != "dumb" && ::isatty(::fileno(stream)) == 1;
}

int columns_of(std::FILE* stream) {
    winsize size{};
    const bool known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

std::string paint(bool colour, const fmt::text_style& style, std::string_view text) {
    return colour ? fmt::format(style, "{}", text) : std::string(text);
}

std::string harmless(std::string_view words) {
    std::string text;
    for (const char c : words) {
        if (c >= ' ' && c <= '~')
            text += c;
        else
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return text;
}

} // namespace redlock::tool
