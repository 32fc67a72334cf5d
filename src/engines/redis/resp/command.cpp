#include "engines/redis/resp/command.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace redlock::resp {
namespace {

constexpr std::string_view crlf = "\r\n";

/// What a count takes at most: its type, digits and line end.
constexpr std::size_t widest_count = 1 + std::numeric_limits<std::size_t>::digits10 + 1 + crlf.size();

char* write(char* to, std::string_view bytes) noexcept { return std::copy(bytes.begin(), bytes.end(), to); }

char* write_count(char* to, char type, std::size_t n) noexcept {
    *to++ = type;
    if (n < 100) { // nearly every count there is
        if (n >= 10) *to++ = static_cast<char>('0' + n / 10);
        *to++ = static_cast<char>('0' + n % 10);
    } else {
        to = std::to_chars(to, to + widest_count, n).ptr;
    }
    return write(to, crlf);
}

char* write_word(char* to, std::string_view word) noexcept {
    return write(write(write_count(to, '$', word.size()), word), crlf);
}

std::size_t most_bytes_of_word(std::string_view word) noexcept {
    return widest_count + word.size() + crlf.size();
}

std::string encoded(std::initializer_list<std::string_view> words) {
    std::size_t most = 0;
    for (const auto word : words)
        most += most_bytes_of_word(word);
    std::string bytes(most, '\0');
    char* end = bytes.data();
    for (const auto word : words)
        end = write_word(end, word);
    bytes.resize(static_cast<std::size_t>(end - bytes.data()));
    return bytes;
}

} // namespace

std::size_t most_bytes_of(std::span<const std::string_view> args) noexcept {
    std::size_t most = widest_count;
    for (const auto arg : args)
        most += most_bytes_of_word(arg);
    return most;
}

char* write_command(char* to, std::span<const std::string_view> args) noexcept {
    assert(!args.empty());
    to = write_count(to, '*', args.size());
    for (const auto arg : args)
        to = write_word(to, arg);
    return to;
}

command_pattern::command_pattern(std::initializer_list<std::string_view> before,
                                 std::initializer_list<std::string_view> behind)
    : behind_(encoded(behind)) {
    std::array<char, widest_count> count;
    before_.assign(count.data(), write_count(count.data(), '*', before.size() + 2 + behind.size()));
    before_ += encoded(before);
}

std::size_t command_pattern::most_bytes_with(std::string_view first, std::string_view second) const noexcept {
    return before_.size() + most_bytes_of_word(first) + most_bytes_of_word(second) + behind_.size();
}

char* command_pattern::write_with(char* to, std::string_view first, std::string_view second) const noexcept {
    return write(write_word(write_word(write(to, before_), first), second), behind_);
}

void append_command(std::string& out, std::span<const std::string_view> args) {
    const std::size_t before = out.size();
    out.resize(before + most_bytes_of(args));
    char* const end = write_command(out.data() + before, args);
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void append_command(std::string& out, std::initializer_list<std::string_view> args) {
    append_command(out, std::span<const std::string_view>(args.begin(), args.size()));
}

} // namespace redlock::resp
