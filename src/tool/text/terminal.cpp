#include "text/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
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

namespace {

winsize size_of(std::FILE* stream) {
    winsize size{};
    if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) != 0) size = {};
    return size;
}

} // namespace

reader reader_of(std::FILE* stream) {
    constexpr std::size_t narrowest = 40, usual = 80;
    if (::isatty(::fileno(stream)) != 1) return {};
    const std::size_t columns = size_of(stream).ws_col;
    return {.width = columns > 0 ? std::max(columns, narrowest) : usual, .colour = has_colour(stream)};
}

std::size_t rows_of(std::FILE* stream) {
    const std::size_t rows = size_of(stream).ws_row;
    return rows > 0 ? rows : 24;
}

std::string paint(bool colour, const fmt::text_style& style, std::string_view text) {
    return colour ? fmt::format(style, "{}", text) : std::string(text);
}

} // namespace redlock::tool
