#pragma once

#include <redlock/detail/language.hpp>

/// Version of the headers; `redlock::version()` gives that of the library linked with.
#define REDLOCK_VERSION_MAJOR 0
#define REDLOCK_VERSION_MINOR 1
#define REDLOCK_VERSION_PATCH 0

namespace redlock {

/// The version of the compiled library as "major.minor.patch". Thread-safe; the text is static.
const char* version() noexcept;

} // namespace redlock
