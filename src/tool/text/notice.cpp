#include "text/notice.hpp"

#include "text/printable.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace redlock::tool {

void print_notice(std::string_view text) {
    fmt::print(stderr, "{}\n", wrapped("redlock: " + printable(text), reader_of(stderr).width, 0, 2));
}

} // namespace redlock::tool
