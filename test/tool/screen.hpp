#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// What somebody in front of a terminal sees of the output: as much of a terminal as the tool makes use of.
/// When its width changes it breaks what it shows anew, as most do.
class screen {
public:
    screen(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), lines_(1) {}

    void show(std::string_view output);
    void resize(std::size_t columns, std::size_t rows);

    /// The lines in sight, without blanks at their ends, and without empty ones behind the last.
    std::vector<std::string> lines() const;

private:
    struct line {
        std::string text{};
        bool goes_on = false; ///< in the next line, since it was full
    };

    void put(char c);
    void next_line();
    std::size_t obey(std::string_view sequence);
    void obey(char command, std::size_t number);
    std::size_t top() const { return lines_.size() > rows_ ? lines_.size() - rows_ : 0; }

    std::size_t columns_;
    std::size_t rows_;
    std::vector<line> lines_;
    std::size_t row_ = 0; ///< of the cursor, in `lines_`
    std::size_t column_ = 0;
    bool wraps_ = true;
};

} // namespace redlock::test
