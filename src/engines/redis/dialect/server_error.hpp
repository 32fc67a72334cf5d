#pragma once

#include <redlock/error.hpp>

#include <string_view>

namespace redlock::lock {

/// No error. Made once: a copy of one that was made just before waits for its parts to reach the cache.
extern const boost::system::error_code success;

/// As an error code; 0 is no error.
inline boost::system::error_code code_of(errc e) noexcept {
    return e == errc{} ? success : make_error_code(e);
}

/// What an error reply means, by its first word: `-WRONGTYPE …` and so on.
errc meaning_of_server_error(std::string_view text) noexcept;

/// Whether the reply says that the server does not have the script of an `EVALSHA`.
inline bool says_no_script(std::string_view text) noexcept { return text.starts_with("NOSCRIPT"); }

/// Whether the reply says that the server does not take this combination of words.
inline bool says_syntax_error(std::string_view text) noexcept { return text.starts_with("ERR syntax error"); }

} // namespace redlock::lock
