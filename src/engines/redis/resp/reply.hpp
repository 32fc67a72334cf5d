#pragma once

#include "engines/redis/resp/item.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::resp {

/// A complete value that the decoder found in its input: a view, valid until the decoder is given more input.
/// Costs no allocation however deep the value is. For an aggregate `size()` is the number of direct children
/// (a map has two for each entry), and the children are visited in order with `first()` and `next()`.
/// Attributes are left out.
class reply {
public:
    reply() = default;

    resp::kind kind() const noexcept { return value_.kind; }
    bool is(resp::kind k) const noexcept { return value_.kind == k; }
    bool is_ok() const noexcept { return value_.kind == resp::kind::text && value_.text == "OK"; }

    /// Of a text or an error; empty for every other kind. A verbatim string comes without its three-letter
    /// prefix.
    std::string_view text() const noexcept { return value_.text; }
    /// Of an integer or a boolean (0 or 1); 0 for every other kind.
    std::int64_t integer() const noexcept { return value_.integer; }
    /// Of a real, which may be infinite or not a number; 0 for every other kind.
    double real() const noexcept { return value_.real; }
    std::size_t size() const noexcept { return value_.children; }

    /// The first child; `null` kind with `end() == true` when there is none.
    reply first() const noexcept;
    /// The value that follows this one inside the same aggregate; `null` kind with `end() == true` when there
    /// is none. Passes over this value's own children, in time linear in their bytes.
    reply next() const noexcept;
    bool end() const noexcept { return end_; }

private:
    friend class reader;
    /// Becomes the value that begins at `at`, after any attributes in front of it. In place: copying a reply
    /// that was just written costs more than decoding it.
    void decode_at(const char* at, const char* limit, std::size_t siblings) noexcept;
    static reply past_the_end() noexcept;

    item value_;
    const char* limit_ = nullptr; ///< end of the enclosing top-level value
    std::size_t siblings_ = 0;    ///< how many values follow in the same aggregate
    bool end_ = false;
};

} // namespace redlock::resp
