#pragma once

#include "support/child_process.hpp"

#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// One of the programs that the project builds, run as a user runs it.
class program {
public:
    /// Runs the program at this path.
    explicit program(const std::string& path, const std::vector<std::string>& arguments = {});

    /// The next line of its output that contains the text; nothing when the output ends or patience does
    /// before.
    std::optional<std::string> line_with(const std::string& text);

    /// Whether there is such a line.
    bool says(const std::string& text) { return line_with(text).has_value(); }

    /// Its exit status; −n when signal n ended it. Throws `std::runtime_error` when it does not end within
    /// patience.
    int status();

    int pid() const noexcept { return child_.pid(); }
    void signal(int number);
    void kill() noexcept { child_.kill(); }

private:
    child_process child_;
};

} // namespace redlock::test
