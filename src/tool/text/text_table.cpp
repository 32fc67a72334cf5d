#include "text/text_table.hpp"

#include "text/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace redlock::tool {
namespace {

constexpr std::size_t gap = 2;
// A text in the place of cells is not squeezed into less.
constexpr std::size_t narrowest_text = 24;

std::size_t longest_word(const std::string& text) {
    std::size_t longest = 0;
    for (const auto& word : parts_of(text, ' '))
        longest = std::max(longest, display_width(word));
    return longest;
}

/// Where the column begins.
std::size_t begin_of(std::size_t place, const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(place), gap * place);
}

/// Each line by itself, so that whoever takes some of them takes no colour without its end.
std::string painted(bool colour, const fmt::text_style* style, const std::string& lines) {
    std::string text;
    for (const auto& line : parts_of(lines, '\n'))
        text += (style ? paint(colour, *style, line) : line) + '\n';
    return text;
}

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// What a cell is filled up with has its use in columns alone.
std::string without_padding(const std::string& cell) {
    return trimmed(cell.substr(std::min(cell.find_first_not_of(' '), cell.size())));
}

} // namespace

void text_table::add(std::vector<std::string> cells, const fmt::text_style* style) {
    rows_.push_back({std::move(cells), style});
}

std::size_t text_table::rigid_cells(const row& r) const noexcept {
    const bool flows = r.cells.size() < columns_.size() || columns_.back().align == side::left;
    return flows ? r.cells.size() - 1 : r.cells.size();
}

text_table::widths text_table::widths_with(bool short_titles) const {
    widths all;
    for (const column& c : columns_)
        all.push_back(short_titles ? longest_word(c.title) : display_width(c.title));
    for (const row& r : rows_)
        for (std::size_t i = 0; i < rigid_cells(r); ++i)
            all[i] = std::max(all[i], display_width(r.cells[i]));
    return all;
}

bool text_table::fits(const widths& all, std::size_t width) const {
    if (begin_of(all.size(), all) - gap > width) return false;
    return std::ranges::all_of(rows_, [&](const row& r) {
        const std::size_t rigid = rigid_cells(r);
        if (rigid == r.cells.size()) return true;
        const std::string& text = r.cells.back();
        const std::size_t least = std::max(narrowest_text, longest_word(text));
        return begin_of(rigid, all) + std::min(display_width(text), least) <= width;
    });
}

std::string text_table::text(const reader& where) const {
    for (const bool short_titles : {false, true})
        if (const widths all = widths_with(short_titles); fits(all, where.width)) return grid(all, where);
    std::string paragraphs = painted(where.colour, &style::quiet, columns_.front().title);
    for (const row& r : rows_)
        paragraphs += painted(where.colour, r.style, paragraph_of(r, where.width));
    return paragraphs;
}

std::string text_table::grid(const widths& all, const reader& where) const {
    std::string lines;
    for (const auto& line : title_lines(all))
        lines += painted(where.colour, &style::quiet, line);
    for (const row& r : rows_)
        lines += painted(where.colour, r.style, line_of(r, all, where.width));
    return lines;
}

// What is shorter than others stands at the bottom, next to its column.
std::vector<std::string> text_table::title_lines(const widths& all) const {
    std::vector<std::vector<std::string>> stacks;
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        stacks.push_back(parts_of(wrapped(columns_[i].title, all[i], 0, 0), '\n'));
        height = std::max(height, stacks.back().size());
    }
    std::vector<std::string> lines;
    for (std::size_t level = height; level-- > 0;) {
        std::string line;
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            const auto& stack = stacks[i];
            line += cell_of(level < stack.size() ? stack[stack.size() - 1 - level] : "", i, all);
        }
        lines.push_back(trimmed(line));
    }
    return lines;
}

std::string text_table::cell_of(const std::string& cell, std::size_t place, const widths& all) const {
    const bool right = columns_[place].align == side::right;
    return (right ? padded_left(cell, all[place]) : padded(cell, all[place])) + std::string(gap, ' ');
}

std::string text_table::line_of(const row& r, const widths& all, std::size_t width) const {
    std::string line;
    const std::size_t rigid = rigid_cells(r);
    for (std::size_t i = 0; i < rigid; ++i)
        line += cell_of(r.cells[i], i, all);
    if (rigid < r.cells.size()) {
        const std::size_t begin = begin_of(rigid, all);
        line += wrapped(r.cells.back(), width, begin, begin);
    }
    return trimmed(line);
}

std::string text_table::paragraph_of(const row& r, std::size_t width) const {
    constexpr std::size_t indent = 2, hanging = 4;
    // Room for the comma.
    const std::size_t limit = width - 1;
    std::string lines = wrapped(r.cells.front(), width, 0, indent);
    std::size_t used = limit;
    const bool whole = r.cells.size() == columns_.size();
    bool first = true;
    for (std::size_t i = 1; i < r.cells.size(); ++i) {
        const std::string cell = without_padding(r.cells[i]);
        if (cell.empty()) continue;
        const std::string named = whole ? columns_[i].title + ' ' + cell : cell;
        const std::size_t columns = display_width(named);
        if (!std::exchange(first, false)) lines += ',';
        if (used + gap + columns <= limit) {
            lines += ' ' + named;
            used += gap + columns;
        } else {
            lines += '\n' + std::string(indent, ' ') + wrapped(named, limit, indent, hanging);
            // Nothing follows on the last line of a cell that takes several.
            used = std::min(indent + columns, limit);
        }
    }
    return lines;
}

} // namespace redlock::tool
