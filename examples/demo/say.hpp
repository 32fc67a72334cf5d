#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace demo {

/// Prints one line, at once, so that whoever reads the other end of a pipe sees it when it happens.
template <typename... Arguments>
void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::print("{}\n", fmt::format(text, std::forward<Arguments>(arguments)...));
    std::fflush(stdout);
}

/// The steady clock, which all processes of a machine share.
inline std::int64_t nanoseconds_now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

} // namespace demo
