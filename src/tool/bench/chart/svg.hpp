#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::tool::svg {

/// Text as it may stand in HTML or SVG, in an attribute too. Control characters, which neither may contain,
/// become question marks.
std::string escaped(std::string_view text);

/// `anchor` is start, middle or end; `style` a class of the style sheet, or empty.
std::string text(double x, double y, std::string_view anchor, std::string_view words,
                 std::string_view style = {});
std::string rule(double x1, double y1, double x2, double y2);
/// `note` is shown to whoever points at it; empty for none.
std::string box(std::string_view style, double x, double y, double wide, double tall,
                std::string_view note = {});
std::string dot(std::string_view style, double x, double y);

using points = std::vector<std::pair<double, double>>;
std::string line(std::string_view style, const points& along);

} // namespace redlock::tool::svg
