#include "text/live_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace redlock::tool {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

} // namespace

std::string live_screen::draw(const std::string& text, const reader& where, std::size_t rows) {
    auto lines = lines_of(text);
    // The cursor stands in a line of its own below, and what has left the screen cannot be drawn over.
    if (const std::size_t most = std::max<std::size_t>(rows, 3) - 1; lines.size() > most) {
        const std::string note = fmt::format("{} more lines", lines.size() - most + 1);
        lines.resize(most - 1);
        lines.push_back(paint(where.colour, style::quiet, note));
    }
    // What a terminal makes of the old lines when its size changes is its own affair.
    const bool resized = drawn_ > 0 && (where.width != width_ || rows != rows_);
    std::string drawing = resized ? "\x1b[H\x1b[2J" : drawn_ > 0 ? fmt::format("\x1b[{}A", drawn_) : "";
    // A line that is too long, with a key like that for example, must not become two.
    drawing += "\x1b[?7l";
    for (const auto& line : lines)
        drawing += line + "\x1b[K\n";
    drawing += "\x1b[J\x1b[?7h";
    drawn_ = lines.size();
    width_ = where.width;
    rows_ = rows;
    return drawing;
}

} // namespace redlock::tool
