#pragma once

#include <redlock/tls_options.hpp>

#include <span>
#include <string>

namespace redlock::tool {

/// A field of `tls_options` with the names that users know it by: what redis-cli calls it where that has the
/// like.
struct tls_word {
    const char* option;
    const char* value;    ///< what the help calls it
    const char* variable; ///< of the environment
    const char* name;     ///< in the configuration file
    const char* help;     ///< a sentence without a full stop
    std::string tls_options::*field;
};

std::span<const tls_word> tls_words() noexcept;

} // namespace redlock::tool
