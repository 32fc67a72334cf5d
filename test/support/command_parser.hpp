#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// Finds the commands in what a client sends: RESP arrays of bulk strings, in pieces of any size. What is not
/// such an array is skipped to the next line.
class command_parser {
public:
    using command = std::vector<std::string>;

    void feed(std::string_view bytes) { buffer_ += bytes; }

    /// Takes the next complete command out of what was fed; false when there is none yet.
    bool next(command& found);

private:
    bool read_number(std::size_t& at, char type, std::size_t& number) const;

    std::string buffer_;
};

} // namespace redlock::test
