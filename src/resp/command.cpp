#include "resp/command.hpp"

#include <algorithm>
#include <cassert>

namespace redlock::resp {
namespace {

constexpr std::string_view line_end = "\r\n";

std::size_t digits(std::size_t n) noexcept {
    std::size_t count = 1;
    for (; n >= 10; n /= 10)
        ++count;
    return count;
}

char* write(char* to, std::string_view bytes) noexcept { return std::copy(bytes.begin(), bytes.end(), to); }

char* write_count(char* to, char type, std::size_t n) noexcept {
    *to++ = type;
    if (n < 10) { // nearly every count there is
        *to++ = static_cast<char>('0' + n);
        return write(to, line_end);
    }
    return write(std::to_chars(to, to + digits(n), n).ptr, line_end);
}

} // namespace

void append_command(std::string& out, std::span<const std::string_view> args) {
    assert(!args.empty());
    constexpr std::size_t around = 1 + line_end.size();
    std::size_t size = around + digits(args.size());
    for (const auto arg : args)
        size += around + digits(arg.size()) + arg.size() + line_end.size();
    const std::size_t before = out.size();
    out.resize(before + size);
    char* to = write_count(out.data() + before, '*', args.size());
    for (const auto arg : args)
        to = write(write(write_count(to, '$', arg.size()), arg), line_end);
    assert(to == out.data() + out.size());
}

void append_command(std::string& out, std::initializer_list<std::string_view> args) {
    append_command(out, std::span<const std::string_view>(args.begin(), args.size()));
}

} // namespace redlock::resp
