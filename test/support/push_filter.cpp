#include "support/push_filter.hpp"

#include <charconv>
#include <cstdint>

namespace redlock::test {

namespace {

bool is_push(std::string_view value) {
    if (value.starts_with('>')) return true;
    // What a listening connection gets over RESP2.
    for (const std::string_view kind : {"message", "subscribe", "unsubscribe"})
        if (value.starts_with("*3\r\n$" + std::to_string(kind.size()) + "\r\n" + std::string(kind) + "\r\n"))
            return true;
    return false;
}

/// Where the value ends that begins at `at`; npos when its end is missing.
std::size_t end_of_value(std::string_view bytes, std::size_t at) {
    const std::size_t line_end = bytes.find("\r\n", at);
    if (line_end == bytes.npos) return bytes.npos;
    std::size_t end = line_end + 2;
    std::int64_t number = 0;
    std::from_chars(bytes.data() + at + 1, bytes.data() + line_end, number);
    const auto is_one_of = [&](std::string_view kinds) { return kinds.find(bytes[at]) != kinds.npos; };
    if (is_one_of("$=!")) {
        if (number >= 0) end += static_cast<std::size_t>(number) + 2;
    } else if (is_one_of("*~>%")) {
        for (std::int64_t left = bytes[at] == '%' ? 2 * number : number; left > 0 && end < bytes.npos; --left)
            end = end < bytes.size() ? end_of_value(bytes, end) : bytes.npos;
    }
    return end <= bytes.size() ? end : bytes.npos;
}

} // namespace

std::size_t length_of_value(std::string_view bytes) {
    const std::size_t end = end_of_value(bytes, 0);
    return end == bytes.npos ? 0 : end;
}

std::string push_filter::pass(std::string_view bytes, const push_faults& faults) {
    std::string passed;
    incomplete_ += bytes;
    std::string_view rest = incomplete_;
    while (const std::size_t length = length_of_value(rest)) {
        const std::string_view value = rest.substr(0, length);
        rest.remove_prefix(length);
        if (!is_push(value)) {
            passed += value;
            passed += held_back_;
            held_back_.clear();
        } else if (hits(faults.hold_back)) {
            held_back_ += value;
        } else if (!hits(faults.drop)) {
            passed += value;
            if (hits(faults.duplicate)) passed += value;
        }
    }
    incomplete_ = std::string(rest);
    return passed;
}

} // namespace redlock::test
