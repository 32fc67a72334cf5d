#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::resp {

/// The kinds of RESP2 and RESP3 values that a caller tells apart. Both nulls of RESP2 and that of RESP3 are `null`;
/// bulk, simple and verbatim strings and big numbers are `text`; both kinds of error are `error`.
enum class kind : std::uint8_t { null, text, error, integer, real, boolean, array, set, map, push };

/// A complete value that the decoder found in its input: a view, valid until the decoder is given more input.
/// Costs no allocation however deep the value is. For an aggregate `size()` is the number of direct children (a map
/// has two for each entry), and the children are visited in order with `first()` and `next()`.
class reply {
public:
    reply() = default;

    resp::kind kind() const noexcept { return kind_; }
    bool is(resp::kind k) const noexcept { return kind_ == k; }
    bool is_ok() const noexcept { return kind_ == resp::kind::text && text_ == "OK"; }

    /// Of a text or an error; empty for every other kind. A verbatim string comes without its three-letter prefix.
    std::string_view text() const noexcept { return text_; }
    /// Of an integer or a boolean (0 or 1); 0 for every other kind.
    std::int64_t integer() const noexcept { return integer_; }
    double real() const noexcept;
    std::size_t size() const noexcept { return size_; }

    /// The first child; `null` kind with `end() == true` when there is none.
    reply first() const noexcept;
    /// The value that follows this one inside the same aggregate.
    reply next() const noexcept;
    bool end() const noexcept { return end_; }

private:
    friend class reader;
    std::string_view text_;
    std::int64_t integer_ = 0;
    std::size_t size_ = 0;
    const char* inside_ = nullptr; ///< first byte of the first child
    const char* limit_ = nullptr;  ///< end of the enclosing top-level value
    std::size_t siblings_ = 0;     ///< how many values follow in the same aggregate
    resp::kind kind_ = resp::kind::null;
    bool end_ = false;
};

} // namespace redlock::resp
