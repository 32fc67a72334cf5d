#include "engines/redis/resp/reader.hpp"

#include "engines/redis/resp/command.hpp"
#include "engines/redis/resp/fault.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace redlock::resp {
namespace {

std::optional<std::size_t> limit_passed(verdict fault, const limits& limits) noexcept {
    switch (fault) {
    case verdict::too_deep:
        return limits.depth;
    case verdict::too_many_elements:
        return limits.elements;
    case verdict::line_too_long:
        return limits.line;
    case verdict::message_too_long:
        return limits.message;
    default:
        return std::nullopt;
    }
}

constexpr std::size_t least_line = 64;

/// Four bytes as one number, to compare them at once.
constexpr std::uint32_t word(std::array<char, 4> bytes) noexcept {
    return std::bit_cast<std::uint32_t>(bytes);
}
constexpr std::uint32_t all_but_second = word({'\xff', '\0', '\xff', '\xff'});
constexpr std::uint32_t all_but_last = word({'\xff', '\xff', '\xff', '\0'});
constexpr std::size_t longest_brief = 5;

} // namespace

reader::reader(resp::limits limits) : limits_(limits), buffer_(limits.message) {
    limits_.line = std::max(limits.line, least_line);
    open_.reserve(limits.depth);
    start_message();
}

void reader::commit(std::size_t n) noexcept {
    buffer_.commit(n);
    if (problem_size_ > 0) buffer_.consume(buffer_.unread().size());
}

void reader::reset() noexcept {
    buffer_.consume(buffer_.unread().size());
    start_message();
    problem_size_ = 0;
}

/// Those that are made once.
struct reader::brief_replies {
    reply null;
    reply ok;
    std::array<reply, 10> digits;

    constexpr brief_replies() noexcept {
        ok.value_.kind = kind::text;
        ok.value_.text = "OK";
        for (std::size_t i = 0; i < digits.size(); ++i) {
            digits[i].value_.kind = kind::integer;
            digits[i].value_.integer = static_cast<std::int64_t>(i);
        }
    }
};

const reply* reader::next_brief() noexcept {
    static constexpr brief_replies replies;
    const auto unread = buffer_.unread();
    if (std::min(unread.size(), limits_.message) < longest_brief) return nullptr;
    const char* const at = unread.data();
    const std::uint32_t head = word({at[0], at[1], at[2], at[3]});
    const auto take = [this](std::size_t size, const reply& r) {
        in_.wanted = 0; // all that an attempt at less of it may have changed
        buffer_.consume(size);
        return &r;
    };
    if ((head & all_but_last) == word({'_', '\r', '\n', '\0'})) return take(3, replies.null);
    if ((head & all_but_second) == word({':', '\0', '\r', '\n'}) && at[1] >= '0' && at[1] <= '9')
        return take(4, replies.digits[static_cast<std::size_t>(at[1] - '0')]);
    if (head == word({'+', 'O', 'K', '\r'}) && at[4] == '\n') return take(5, replies.ok);
    if (head == word({'$', '-', '1', '\r'}) && at[4] == '\n') return take(5, replies.null);
    return nullptr;
}

read_status reader::next(reply& out) noexcept {
    const reply* const brief = next_brief();
    if (!brief) return take_any(out);
    out = *brief;
    return read_status::complete;
}

read_status reader::take_any(reply& out) noexcept {
    if (problem_size_ > 0) return read_status::malformed;
    const auto unread = buffer_.unread();
    // Bytes past the longest message allowed are not looked at, so that it makes no difference when they
    // arrive.
    const auto visible = std::min(unread.size(), limits_.message);
    while (visible - at_ >= in_.wanted) {
        in_.begin = unread.data() + at_;
        in_.end = unread.data() + visible;
        const auto v = decode(in_, out.value_);
        if (v == verdict::incomplete) break;
        if (v != verdict::complete) return fail(v);
        if (open_.empty()) value_ = at_;
        const char* const rest = out.value_.rest;
        if (finishes_message(out.value_)) {
            const bool aggregate = in_.begin != unread.data() + value_;
            if (aggregate) out.decode_at(unread.data() + value_, rest, 0);
            start_message();
            deliver(out, rest);
            return read_status::complete;
        }
        at_ = static_cast<std::size_t>(rest - unread.data());
        in_.wanted = 0;
        in_.bytes = limits_.message - at_;
    }
    return visible == limits_.message ? fail(verdict::message_too_long) : read_status::incomplete;
}

/// Keeps account of the open aggregates. An attribute with all that is in it is not a value: one must come
/// after it.
bool reader::finishes_message(const item& read) noexcept {
    if (read.children > 0) {
        in_.elements -= read.children;
        open_.push_back({read.children, read.attribute});
        in_.nested = true;
        in_.deepest = open_.size() == limits_.depth;
        return false;
    }
    if (read.attribute) return false;
    while (!open_.empty()) {
        if (--open_.back().left > 0) return false;
        const bool attribute = open_.back().attribute;
        open_.pop_back();
        in_.nested = !open_.empty();
        in_.deepest = false;
        if (attribute) return false;
    }
    return true;
}

/// Completes `out`, of which the item is there, as a message that ends before `rest`.
void reader::deliver(reply& out, const char* rest) noexcept {
    out.limit_ = rest;
    out.siblings_ = 0;
    out.end_ = false;
    buffer_.consume(static_cast<std::size_t>(rest - buffer_.unread().data()));
}

void reader::start_message() noexcept {
    at_ = value_ = 0;
    open_.clear();
    in_.wanted = 0;
    in_.bytes = limits_.message;
    in_.line = limits_.line;
    in_.elements = limits_.elements;
    in_.nested = false;
    in_.deepest = limits_.depth == 0;
}

read_status reader::fail(verdict why) noexcept {
    const auto append = [this](std::string_view words) {
        const auto fits = words.substr(0, problem_.size() - problem_size_);
        std::copy(fits.begin(), fits.end(), problem_.data() + problem_size_);
        problem_size_ += fits.size();
    };
    append(describe(why));
    if (const auto limit = limit_passed(why, limits_)) {
        append("; the limit is ");
        append(decimal(*limit));
    }
    buffer_.consume(buffer_.unread().size());
    return read_status::malformed;
}

} // namespace redlock::resp
