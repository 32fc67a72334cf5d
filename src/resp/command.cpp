#include "resp/command.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>

namespace redlock::resp {
namespace {

constexpr std::size_t longest_header = 1 + std::numeric_limits<std::uint64_t>::digits10 + 1 + 2;

char* write_header(char* to, char type, std::size_t n) noexcept {
    *to++ = type;
    to = std::to_chars(to, to + longest_header, n).ptr;
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

} // namespace

void append_command(std::string& out, std::span<const std::string_view> args) {
    assert(!args.empty());
    std::size_t most = longest_header;
    for (const auto arg : args)
        most += longest_header + arg.size() + 2;
    const std::size_t before = out.size();
    out.resize(before + most);
    char* to = write_header(out.data() + before, '*', args.size());
    for (const auto arg : args) {
        to = write_header(to, '$', arg.size());
        to = std::copy(arg.begin(), arg.end(), to);
        *to++ = '\r';
        *to++ = '\n';
    }
    out.resize(static_cast<std::size_t>(to - out.data()));
}

void append_command(std::string& out, std::initializer_list<std::string_view> args) {
    append_command(out, std::span<const std::string_view>(args.begin(), args.size()));
}

} // namespace redlock::resp
