// Draws charts as files of SVG, from a description in JSON on its standard input: draw_charts FOLDER. With
// what the pages of `redlock bench` are drawn with.

#include "bench/chart/plot.hpp"
#include "bench/report/figure_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

namespace json = boost::json;
namespace tool = redlock::tool;

std::string text_in(const json::value& of, const char* name) {
    return json::value_to<std::string>(of.at(name));
}

/// A mark is a number, or a number and what stands there in its place.
tool::axis_mark mark_of(const json::value& described) {
    if (!described.is_array())
        return {described.to_number<double>(), tool::rate_text(described.to_number<double>())};
    return {described.at(0).to_number<double>(), json::value_to<std::string>(described.at(1))};
}

tool::plot_axis axis_of(const json::value& described) {
    tool::plot_axis a{.label = text_in(described, "label"),
                      .logarithmic = described.at("logarithmic").as_bool(),
                      .low = described.at("low").to_number<double>(),
                      .high = described.at("high").to_number<double>()};
    for (const auto& m : described.at("marks").as_array())
        a.marks.push_back(mark_of(m));
    return a;
}

tool::plot plot_of(const json::value& described) {
    tool::plot p{.title = text_in(described, "title"), .subtitle = text_in(described, "subtitle")};
    if (const json::value* const bars = described.as_object().if_contains("bars")) {
        for (const auto& bar : bars->as_array())
            p.bars.push_back({text_in(bar, "name"), bar.at("value").to_number<double>()});
        p.across = tool::decades_of(p.bars, text_in(described, "unit"));
        return p;
    }
    p.across = axis_of(described.at("across"));
    p.up = axis_of(described.at("up"));
    for (const auto& curve : described.at("curves").as_array()) {
        tool::plot_curve drawn{.name = text_in(curve, "name")};
        for (const auto& point : curve.at("points").as_array())
            drawn.points.emplace_back(point.at(0).to_number<double>(), point.at(1).to_number<double>());
        p.curves.push_back(std::move(drawn));
    }
    return p;
}

void draw(const json::value& all, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (const auto& described : all.as_array()) {
        const std::filesystem::path file = folder / (text_in(described, "name") + ".svg");
        std::ofstream out(file);
        if (!(out << tool::drawing_of(plot_of(described))).flush())
            throw std::runtime_error("cannot write " + file.string());
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: draw_charts FOLDER < DESCRIPTION\n");
        return 2;
    }
    try {
        const std::string described{std::istreambuf_iterator<char>(std::cin), {}};
        draw(json::parse(described), argv[1]);
    } catch (const std::exception& e) {
        fmt::print(stderr, "draw_charts: {}\n", e.what());
        return 1;
    }
}
