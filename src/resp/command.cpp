#include "resp/command.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cstring>
#include <limits>

namespace redlock::resp {
namespace {

constexpr std::string_view line_end = "\r\n";

/// What a count takes at most: its type, digits and line end.
constexpr std::size_t widest_count = 1 + std::numeric_limits<std::size_t>::digits10 + 1 + line_end.size();

char* write_line_end(char* to) noexcept {
    to[0] = '\r';
    to[1] = '\n';
    return to + 2;
}

// Both ends of what is at least one and at most two blocks long.
template <std::size_t Block>
void copy_both_ends(char* to, const char* from, std::size_t n) noexcept {
    std::array<char, Block> begin;
    std::array<char, Block> end;
    std::memcpy(begin.data(), from, Block);
    std::memcpy(end.data(), from + n - Block, Block);
    std::memcpy(to, begin.data(), Block);
    std::memcpy(to + n - Block, end.data(), Block);
}

// Words, keys and tokens are so short that a call takes longer than the copying.
char* write(char* to, std::string_view bytes) noexcept {
    const std::size_t n = bytes.size();
    if (n > 32)
        std::memcpy(to, bytes.data(), n);
    else if (n >= 16)
        copy_both_ends<16>(to, bytes.data(), n);
    else if (n >= 8)
        copy_both_ends<8>(to, bytes.data(), n);
    else if (n >= 4)
        copy_both_ends<4>(to, bytes.data(), n);
    else if (n >= 2)
        copy_both_ends<2>(to, bytes.data(), n);
    else if (n == 1)
        *to = bytes[0];
    return to + n;
}

char* write_count(char* to, char type, std::size_t n) noexcept {
    *to++ = type;
    if (n < 100) { // nearly every count there is
        if (n >= 10) *to++ = static_cast<char>('0' + n / 10);
        *to++ = static_cast<char>('0' + n % 10);
    } else {
        to = std::to_chars(to, to + widest_count, n).ptr;
    }
    return write_line_end(to);
}

} // namespace

std::size_t most_bytes_of(std::span<const std::string_view> args) noexcept {
    std::size_t most = widest_count;
    for (const auto arg : args)
        most += widest_count + arg.size() + line_end.size();
    return most;
}

char* write_command(char* to, std::span<const std::string_view> args) noexcept {
    assert(!args.empty());
    to = write_count(to, '*', args.size());
    for (const auto arg : args)
        to = write_line_end(write(write_count(to, '$', arg.size()), arg));
    return to;
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
