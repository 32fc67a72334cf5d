#pragma once

#include "text/terminal.hpp"

#include <string>
#include <vector>

namespace redlock::tool {

/// Rows with titles above them. Where the reader's lines are too short for them, the titles take several
/// lines, and if that is not enough, each row becomes a paragraph that names every cell, below the
/// title of the first column. Lines are broken
/// between words alone.
class text_table {
public:
    enum class side { left, right };

    struct column {
        std::string title{};
        side align = side::left;
    };

    explicit text_table(std::vector<column> columns) : columns_(std::move(columns)) {}

    /// Cells are printable, and there is at least one. The last one of a row may be broken between words
    /// where its column is on the left, or where there are fewer cells than columns: then it takes the place
    /// of all that are missing. The style refers to something that lives on.
    void add(std::vector<std::string> cells, const fmt::text_style* style = nullptr);

    /// In lines that are no wider than the reader's, but for words that are longer.
    std::string text(const reader& where) const;

private:
    struct row {
        std::vector<std::string> cells{};
        const fmt::text_style* style = nullptr;
    };
    using widths = std::vector<std::size_t>;

    /// How many cells of the row are as wide as they are.
    std::size_t rigid_cells(const row& r) const noexcept;
    widths widths_with(bool short_titles) const;
    bool fits(const widths& all, std::size_t width) const;
    std::string grid(const widths& all, const reader& where) const;
    std::vector<std::string> title_lines(const widths& all) const;
    std::string line_of(const row& r, const widths& all, std::size_t width) const;
    std::string cell_of(const std::string& cell, std::size_t place, const widths& all) const;
    std::string paragraph_of(const row& r, std::size_t width) const;

    std::vector<column> columns_;
    std::vector<row> rows_{};
};

} // namespace redlock::tool
