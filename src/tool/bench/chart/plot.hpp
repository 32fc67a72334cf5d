#pragma once

#include "bench/chart/axis.hpp"

#include <string>
#include <utility>
#include <vector>

namespace redlock::tool {

/// What one axis of a plot shows.
struct plot_axis {
    std::string label{};
    bool logarithmic = false;
    double low = 0;
    double high = 1;
    std::vector<axis_mark> marks{};
};

struct plot_curve {
    std::string name{};
    std::vector<std::pair<double, double>> points{};
};

struct plot_bar {
    std::string name{};
    double value = 0;
};

/// A picture for a page: curves over two axes, or bars over one.
struct plot {
    std::string title{};    ///< what it shows
    std::string subtitle{}; ///< how to read it
    plot_axis across{};
    plot_axis up{}; ///< not of bars
    std::vector<plot_curve> curves{};
    std::vector<plot_bar> bars{}; ///< drawn where there are no curves; the first of them is ours
};

/// A logarithmic axis of whole decades below bars, which are positive and at least one.
plot_axis decades_of(const std::vector<plot_bar>& bars, std::string label);

/// As the text of an SVG file, which is light or dark as its reader's screen is.
std::string drawing_of(const plot& p);

} // namespace redlock::tool
