#include "engines/redis/resp/item.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace redlock::resp {
namespace {

enum character : std::uint8_t { any_text = 1, of_real = 2, of_big_number = 4 };

/// Which bytes a line of each sort may hold before its CR LF.
constexpr auto characters = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(any_text);
    table['\r'] = table['\n'] = 0;
    for (const char c : std::string_view("0123456789+-.eEinfaN"))
        table[static_cast<unsigned char>(c)] |= of_real;
    for (const char c : std::string_view("0123456789+-"))
        table[static_cast<unsigned char>(c)] |= of_big_number;
    return table;
}();

constexpr std::uint64_t largest_integer = std::numeric_limits<std::int64_t>::max();

verdict line_end(const char*& at, const char* end, verdict otherwise) noexcept {
    if (at == end) return verdict::incomplete;
    if (*at != '\r') return otherwise;
    if (end - at == 1) return verdict::incomplete;
    if (at[1] != '\n') return verdict::bad_line_end;
    at += 2;
    return verdict::complete;
}

/// Reads digits and the line end after them.
verdict digits(const char*& at, const char* end, std::uint64_t limit, verdict otherwise, verdict over_limit,
               std::uint64_t& value) noexcept {
    constexpr std::ptrdiff_t most_digits = 19; // so that the value cannot overflow before it is compared
    const char* const first = at;
    for (value = 0; at != end; ++at) {
        const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0';
        if (digit > 9) break;
        value = value * 10 + digit;
        if (value > limit || at - first == most_digits) return over_limit;
    }
    if (at == first) return at == end ? verdict::incomplete : otherwise;
    return line_end(at, end, otherwise);
}

class decoder {
public:
    decoder(window& in, item& out) noexcept : in_(in), out_(out), at_(in.begin + 1) {}

    verdict integer() noexcept;
    verdict line(kind k, character allowed, verdict otherwise) noexcept;
    verdict real() noexcept;
    verdict big_number() noexcept;
    verdict boolean() noexcept;
    verdict null() noexcept;
    verdict sized_text(kind k, bool nullable) noexcept;
    verdict verbatim() noexcept;
    verdict aggregate(kind k, std::size_t children_each, bool nullable) noexcept;
    verdict attribute() noexcept;
    verdict push() noexcept;

private:
    bool more() const noexcept { return at_ != in_.end; }
    std::size_t used() const noexcept { return static_cast<std::size_t>(at_ - in_.begin); }
    std::size_t available() const noexcept { return static_cast<std::size_t>(in_.end - in_.begin); }
    verdict finish(verdict v, kind k) noexcept;
    verdict absent() noexcept;

    window& in_;
    item& out_;
    const char* at_;
};

/// Ends an item of which everything was read, or tells how far it got.
verdict decoder::finish(verdict v, kind k) noexcept {
    if (v == verdict::complete) {
        out_.kind = k;
        out_.rest = at_;
    } else if (v == verdict::incomplete) {
        in_.wanted = available() + 1;
    }
    return v;
}

verdict decoder::integer() noexcept {
    if (!more()) return finish(verdict::incomplete, {});
    const bool negative = *at_ == '-';
    if (negative || *at_ == '+') ++at_;
    std::uint64_t magnitude = 0;
    const auto v = digits(at_, in_.end, largest_integer + (negative ? 1 : 0), verdict::bad_integer,
                          verdict::bad_integer, magnitude);
    out_.integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return finish(v, kind::integer);
}

verdict decoder::line(kind k, character allowed, verdict otherwise) noexcept {
    // A line that is seen again is only searched from where the last attempt left off.
    const char* p = in_.begin + std::max<std::size_t>(in_.wanted, 2) - 1;
    const bool bounded = in_.line < available() - 1;
    const char* const stop = bounded ? in_.begin + 1 + in_.line : in_.end;
    while (p < stop && (characters[static_cast<unsigned char>(*p)] & allowed) != 0)
        ++p;
    if (p == in_.end) return finish(verdict::incomplete, k);
    if ((characters[static_cast<unsigned char>(*p)] & allowed) != 0) return verdict::line_too_long;
    at_ = p;
    const auto v = line_end(at_, in_.end, *p == '\n' ? verdict::bad_line_end : otherwise);
    if (v == verdict::incomplete) {
        in_.wanted = static_cast<std::size_t>(p - in_.begin) + 1;
        return v;
    }
    out_.text = {in_.begin + 1, p};
    return finish(v, k);
}

verdict decoder::real() noexcept {
    if (const auto v = line(kind::real, of_real, verdict::bad_real); v != verdict::complete) return v;
    auto text = out_.text;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out_.real);
    if (error != std::errc{} || rest != text.data() + text.size()) return verdict::bad_real;
    out_.text = {};
    return verdict::complete;
}

verdict decoder::big_number() noexcept {
    if (const auto v = line(kind::text, of_big_number, verdict::bad_big_number); v != verdict::complete)
        return v;
    const std::size_t sign = out_.text.find_first_of("+-") == 0 ? 1 : 0;
    if (out_.text.size() == sign || out_.text.find_first_of("+-", sign) != std::string_view::npos)
        return verdict::bad_big_number;
    return verdict::complete;
}

verdict decoder::boolean() noexcept {
    if (!more()) return finish(verdict::incomplete, {});
    if (*at_ != 't' && *at_ != 'f') return verdict::bad_boolean;
    out_.integer = *at_ == 't' ? 1 : 0;
    ++at_;
    return finish(line_end(at_, in_.end, verdict::bad_boolean), kind::boolean);
}

verdict decoder::null() noexcept { return finish(line_end(at_, in_.end, verdict::bad_null), kind::null); }

/// What RESP2 writes for null: a length of -1.
verdict decoder::absent() noexcept {
    ++at_;
    if (more() && *at_ != '1') return verdict::bad_length;
    if (more()) ++at_;
    return finish(line_end(at_, in_.end, verdict::bad_length), kind::null);
}

verdict decoder::sized_text(kind k, bool nullable) noexcept {
    if (!more()) return finish(verdict::incomplete, k);
    if (*at_ == '-' && nullable) return absent();
    if (*at_ == '?') return verdict::streamed;
    std::uint64_t length = 0;
    const auto v = digits(at_, in_.end, std::min<std::uint64_t>(in_.bytes, largest_integer),
                          verdict::bad_length, verdict::message_too_long, length);
    if (v != verdict::complete) return finish(v, k);
    if (in_.bytes - used() < 2 || length > in_.bytes - used() - 2) return verdict::message_too_long;
    const auto have = static_cast<std::size_t>(in_.end - at_);
    if (have <= length) {
        in_.wanted = used() + length + 1;
        return verdict::incomplete;
    }
    out_.text = {at_, static_cast<std::size_t>(length)};
    at_ += length;
    return finish(line_end(at_, in_.end, verdict::bad_text_end), k);
}

/// A verbatim string is a sized text that begins with three letters for its format and a colon.
verdict decoder::verbatim() noexcept {
    constexpr std::size_t prefix = 4;
    if (const auto v = sized_text(kind::text, false); v != verdict::complete) return v;
    if (out_.text.size() < prefix || out_.text[prefix - 1] != ':') return verdict::bad_verbatim;
    out_.text.remove_prefix(prefix);
    return verdict::complete;
}

verdict decoder::aggregate(kind k, std::size_t children_each, bool nullable) noexcept {
    if (!more()) return finish(verdict::incomplete, k);
    if (*at_ == '-' && nullable) return absent();
    if (in_.deepest) return verdict::too_deep;
    if (*at_ == '?') return verdict::streamed;
    std::uint64_t count = 0;
    const auto v =
        digits(at_, in_.end, std::min<std::uint64_t>(in_.elements, largest_integer) / children_each,
               verdict::bad_length, verdict::too_many_elements, count);
    out_.children = static_cast<std::size_t>(count) * children_each;
    return finish(v, k);
}

verdict decoder::attribute() noexcept {
    out_.attribute = true;
    return aggregate(kind::map, 2, false);
}

verdict decoder::push() noexcept {
    return in_.nested ? verdict::nested_push : aggregate(kind::push, 1, false);
}

} // namespace

verdict decode(window& in, item& out) noexcept {
    if (in.begin == in.end) {
        in.wanted = 1;
        return verdict::incomplete;
    }
    out = item{};
    decoder d(in, out);
    switch (*in.begin) {
    case '+':
        return d.line(kind::text, any_text, verdict::bad_line_end);
    case ':':
        return d.integer();
    case '$':
        return d.sized_text(kind::text, true);
    case '_':
        return d.null();
    case '-':
        return d.line(kind::error, any_text, verdict::bad_line_end);
    case '*':
        return d.aggregate(kind::array, 1, true);
    case '>':
        return d.push();
    case '%':
        return d.aggregate(kind::map, 2, false);
    case '~':
        return d.aggregate(kind::set, 1, false);
    case '#':
        return d.boolean();
    case ',':
        return d.real();
    case '=':
        return d.verbatim();
    case '!':
        return d.sized_text(kind::error, false);
    case '(':
        return d.big_number();
    case '|':
        return d.attribute();
    default:
        return verdict::unknown_type;
    }
}

} // namespace redlock::resp
