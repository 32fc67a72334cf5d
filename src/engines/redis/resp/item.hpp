#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace redlock::resp {

/// The kinds of RESP2 and RESP3 values that a caller tells apart. Both nulls of RESP2 and that of RESP3 are
/// `null`; bulk, simple and verbatim strings and big numbers are `text`; both kinds of error are `error`.
enum class kind : std::uint8_t { null, text, error, integer, real, boolean, array, set, map, push };

/// One value without its children: what stands in its line and, for a text with a length, in the bytes after
/// it.
struct item {
    std::string_view text;
    std::int64_t integer = 0;
    double real = 0;
    std::size_t children =
        0; ///< values that follow and belong to this one; two for each entry of a map or attribute
    const char* rest = nullptr; ///< the byte after this item: the first child's, if there are children
    resp::kind kind = resp::kind::null;
    bool attribute = false; ///< not a value: it and its children annotate the value that follows them
};

/// What became of an attempt to decode an item. All but the first two are reasons to give up on the input.
enum class verdict : std::uint8_t {
    complete,
    incomplete,
    unknown_type,
    bad_line_end,
    bad_integer,
    bad_length,
    bad_real,
    bad_big_number,
    bad_boolean,
    bad_null,
    bad_verbatim,
    bad_text_end,
    streamed,
    nested_push,
    too_deep,
    too_many_elements,
    line_too_long,
    message_too_long
};

/// What `decode` may look at and how much it may accept. The defaults accept anything well-formed.
struct window {
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    const char* begin = nullptr;      ///< the item's first byte
    const char* end = nullptr;        ///< the byte after the last one received
    std::size_t wanted = 0;           ///< 0, or as the last attempt at the same item left it
    std::size_t bytes = unlimited;    ///< how long the item may be
    std::size_t line = unlimited;     ///< how long the text of a line may be
    std::size_t elements = unlimited; ///< how many children it may have
    bool nested = false;              ///< it stands inside another value, where a push must not be
    bool deepest = false;             ///< it must not have children
};

/// Decodes the item at `in.begin`. On `incomplete`, `in.wanted` is how many bytes from `in.begin` on must be
/// there before another attempt can say more; given back, it keeps the work linear in the bytes received. A
/// fault is reported with the first byte that shows it. `out` is unspecified unless the verdict is
/// `complete`. Total on any bytes, looks at nothing outside the window and allocates nothing.
verdict decode(window& in, item& out) noexcept;

} // namespace redlock::resp
