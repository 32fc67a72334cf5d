#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace redlock::test {

/// Throws what `errno` says, with `what` in front of it.
[[noreturn]] inline void throw_errno(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

} // namespace redlock::test
