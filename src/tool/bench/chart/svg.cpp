#include "bench/chart/svg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace redlock::tool::svg {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return result;
}

std::string text(double x, double y, std::string_view anchor, std::string_view words,
                 std::string_view style) {
    const std::string named = style.empty() ? "" : fmt::format(" class=\"{}\"", escaped(style));
    return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", named, x, y,
                       anchor, escaped(words));
}

std::string rule(double x1, double y1, double x2, double y2) {
    return fmt::format("<line class=\"rule\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1,
                       y1, x2, y2);
}

std::string box(std::string_view style, double x, double y, double wide, double tall, std::string_view note) {
    const std::string shape =
        fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"",
                    escaped(style), x, y, std::max(wide, 0.5), tall);
    return note.empty() ? shape + "/>\n" : shape + "><title>" + escaped(note) + "</title></rect>\n";
}

std::string dot(std::string_view style, double x, double y) {
    return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n", escaped(style), x,
                       y);
}

std::string line(std::string_view style, const points& along) {
    std::string text = fmt::format("<polyline class=\"line {}\" points=\"", escaped(style));
    for (const auto& [x, y] : along)
        text += fmt::format("{:.1f},{:.1f} ", x, y);
    return text + "\"/>\n";
}

} // namespace redlock::tool::svg
