#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace redlock::tool {

/// What something was from one time to another.
struct chart_step {
    double begin = 0;
    double end = 0;
    double value = 0;
    std::string note{}; ///< shown to whoever points at it
};

/// One line of a chart, in the colour that `colours_of` has for this class.
struct chart_line {
    std::string name{};
    std::string style{};
    std::vector<chart_step> steps{};
};

/// Lines over time with both axes, as one SVG element.
std::string line_chart(const std::vector<chart_line>& lines, std::string_view unit);

/// How long a part of all took at most.
struct chart_percentile {
    double part = 0;         ///< 0 to less than 1
    double milliseconds = 0; ///< positive
    std::string note{};      ///< shown to whoever points at it
};

/// One line of a percentile plot; the parts rise.
struct chart_distribution {
    std::string style{};
    std::vector<chart_percentile> points{};
};

/// Time, on a logarithmic axis, over the part that did not take longer, each nine of it as wide as the one
/// before.
std::string percentile_chart(const std::vector<chart_distribution>& all);

/// Boxes over time, each with its own class, and so high as `value` of the step says, 0 to 1.
struct chart_strip {
    std::string name{};
    std::vector<chart_step> steps{};
    std::vector<std::string> styles{}; ///< one for each step
};

std::string strip_chart(const std::vector<chart_strip>& strips);

} // namespace redlock::tool
