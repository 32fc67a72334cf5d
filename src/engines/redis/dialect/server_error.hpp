#pragma once

#include <redlock/error.hpp>

#include <string_view>

namespace redlock::redis {

/// What an error reply means, by its first word: `-WRONGTYPE …` and so on.
errc meaning_of_server_error(std::string_view text) noexcept;

/// An error that a server answered with.
struct server_error {
    errc meaning{};
    std::string_view words; ///< a view into the reply
};

/// Whether a server says with it that it loads its data or runs somebody's long script: it is told again.
constexpr bool says_for_the_moment(errc meaning) noexcept {
    return meaning == errc::node_timeout || meaning == errc::node_unavailable;
}

/// Whether the reply says that the server does not have the script of an `EVALSHA`.
inline bool says_no_script(std::string_view text) noexcept { return text.starts_with("NOSCRIPT"); }

/// Whether the reply says that the server does not take this combination of words.
inline bool says_syntax_error(std::string_view text) noexcept { return text.starts_with("ERR syntax error"); }

} // namespace redlock::redis
