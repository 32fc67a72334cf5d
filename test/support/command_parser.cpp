#include "support/command_parser.hpp"

#include <charconv>

namespace redlock::test {

// Reads "<type><number>\r\n" at `at` and moves past it. False when it is incomplete or something else.
bool command_parser::read_number(std::size_t& at, char type, std::size_t& number) const {
    const auto end = buffer_.find("\r\n", at);
    if (end == std::string::npos || buffer_[at] != type) return false;
    const char* first = buffer_.data() + at + 1;
    const char* last = buffer_.data() + end;
    if (std::from_chars(first, last, number).ptr != last) return false;
    at = end + 2;
    return true;
}

bool command_parser::next(command& found) {
    while (!buffer_.empty() && buffer_[0] != '*') {
        const auto end = buffer_.find('\n');
        if (end == std::string::npos) return false;
        buffer_.erase(0, end + 1);
    }
    std::size_t at = 0;
    std::size_t count = 0;
    if (buffer_.empty() || !read_number(at, '*', count)) return false;
    command arguments;
    for (; count > 0; --count) {
        std::size_t size = 0;
        if (at >= buffer_.size() || !read_number(at, '$', size)) return false;
        if (buffer_.size() < at + size + 2) return false;
        arguments.push_back(buffer_.substr(at, size));
        at += size + 2;
    }
    buffer_.erase(0, at);
    found = std::move(arguments);
    return true;
}

} // namespace redlock::test
