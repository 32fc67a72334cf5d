#include "screen.hpp"

#include <algorithm>
#include <cstdlib>

namespace redlock::test {

void screen::show(std::string_view output) {
    for (std::size_t i = 0; i < output.size(); ++i) {
        const char c = output[i];
        if (c == '\x1b')
            i += obey(output.substr(i + 1));
        else if (c == '\n')
            next_line();
        else if (c == '\r')
            column_ = 0;
        else
            put(c);
    }
}

void screen::put(char c) {
    if (column_ == columns_ && !wraps_) --column_;
    if (column_ == columns_) {
        lines_[row_].goes_on = true;
        next_line();
        column_ = 0;
    }
    auto& text = lines_[row_].text;
    text.resize(std::max(text.size(), column_ + 1), ' ');
    text[column_++] = c;
}

void screen::next_line() {
    if (++row_ == lines_.size()) lines_.emplace_back();
}

// A control sequence is "[", perhaps "?", a number, and a letter. Returns how long it is.
std::size_t screen::obey(std::string_view sequence) {
    const auto end = sequence.find_first_not_of("?0123456789;", 1);
    if (end == sequence.npos) return sequence.size();
    const std::string parameters(sequence.substr(1, end - 1));
    if (parameters == "?7")
        wraps_ = sequence[end] == 'h';
    else
        obey(sequence[end], static_cast<std::size_t>(std::atoi(parameters.c_str())));
    return end + 1;
}

void screen::obey(char command, std::size_t number) {
    if (command == 'A') row_ = std::max(top(), row_ - std::min(row_, std::max<std::size_t>(number, 1)));
    if (command == 'H') {
        row_ = top();
        column_ = 0;
    }
    if (command == 'K') {
        auto& here = lines_[row_];
        here.text.resize(std::min(here.text.size(), column_));
        here.goes_on = false;
    }
    if (command == 'J') {
        const std::size_t first = number == 2 ? top() : row_ + 1;
        for (std::size_t i = first; i < lines_.size(); ++i)
            lines_[i] = {};
        if (number != 2) obey('K', 0);
    }
}

void screen::resize(std::size_t columns, std::size_t rows) {
    std::vector<line> old;
    std::swap(old, lines_);
    columns_ = columns;
    rows_ = rows;
    lines_.emplace_back();
    const std::size_t cursor = row_;
    row_ = 0;
    std::size_t found = 0;
    for (std::size_t i = 0; i < old.size(); ++i) {
        column_ = lines_[row_].text.size();
        if (i == cursor) found = row_;
        for (const char c : old[i].text)
            put(c);
        if (!old[i].goes_on && i + 1 < old.size()) next_line();
    }
    row_ = found;
    column_ = 0;
}

std::vector<std::string> screen::lines() const {
    std::vector<std::string> seen;
    for (std::size_t i = top(); i < lines_.size(); ++i) {
        seen.push_back(lines_[i].text);
        seen.back().erase(seen.back().find_last_not_of(' ') + 1);
    }
    while (!seen.empty() && seen.back().empty())
        seen.pop_back();
    return seen;
}

} // namespace redlock::test
