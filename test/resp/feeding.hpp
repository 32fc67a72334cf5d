#pragma once

#include "engines/redis/resp/reader.hpp"

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// A reply with all its children as text, in which every two different replies differ: `"text"`, `-error`,
/// `:1`, `,0x1p+0`,
/// `#1`, `_`, and `*`, `~`, `%` or `>` with the children in brackets.
std::string describe(const resp::reply& reply);

/// What a reader made of its input.
struct decoding {
    std::vector<std::string> messages;
    std::string problem; ///< empty while it is well-formed
    bool operator==(const decoding&) const = default;
};

std::ostream& operator<<(std::ostream& out, const decoding& d);

/// Gives all bytes to the reader, each time as many as `piece()` says (1 or more) and there is space for, and
/// takes all messages after each piece.
decoding feed(resp::reader& reader, std::string_view bytes, const std::function<std::size_t()>& piece);

/// The same with a reader of its own and pieces of one size.
decoding feed(std::string_view bytes, std::size_t piece, resp::limits limits = {});

/// As much at once as there is space for.
inline constexpr std::size_t whole = std::string_view::npos;

} // namespace redlock::test
