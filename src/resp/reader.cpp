#include "resp/reader.hpp"

#include "resp/command.hpp"
#include "resp/fault.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

} // namespace

reader::reader(resp::limits limits) : limits_(limits), buffer_(limits.message) {
    open_.reserve(limits.depth);
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

read_status reader::next(reply& out) noexcept {
    if (problem_size_ > 0) return read_status::malformed;
    const auto unread = buffer_.unread();
    // Bytes past the longest message allowed are not looked at, so that it makes no difference when they
    // arrive.
    const auto visible = std::min(unread.size(), limits_.message);
    while (visible - at_ >= wanted_) {
        window in{.begin = unread.data() + at_,
                  .end = unread.data() + visible,
                  .wanted = wanted_,
                  .bytes = limits_.message - at_,
                  .line = limits_.line,
                  .elements = limits_.elements - elements_,
                  .nested = !open_.empty(),
                  .deepest = open_.size() == limits_.depth};
        const auto v = decode(in, out.value_);
        wanted_ = in.wanted;
        if (v == verdict::incomplete) break;
        if (v != verdict::complete) return fail(v);
        wanted_ = 0;
        if (open_.empty()) value_ = at_;
        const auto item_at = std::exchange(at_, static_cast<std::size_t>(out.value_.rest - unread.data()));
        if (finishes_message(out.value_)) {
            deliver(unread.data(), item_at, out);
            return read_status::complete;
        }
    }
    return visible == limits_.message ? fail(verdict::message_too_long) : read_status::incomplete;
}

/// Keeps account of the open aggregates. An attribute with all that is in it is not a value: one must come
/// after it.
bool reader::finishes_message(const item& read) noexcept {
    elements_ += read.children;
    if (read.children > 0) {
        open_.push_back({read.children, read.attribute});
        return false;
    }
    bool value = !read.attribute;
    while (value && !open_.empty()) {
        if (--open_.back().left > 0) return false;
        value = !open_.back().attribute;
        open_.pop_back();
    }
    return value;
}

/// Shows the message just read: an aggregate is decoded again from its first item, which is not the last one
/// read.
void reader::deliver(const char* message, std::size_t last_item, reply& out) noexcept {
    if (value_ == last_item) {
        out.limit_ = message + at_;
        out.siblings_ = 0;
        out.end_ = false;
    } else {
        out.decode_at(message + value_, message + at_, 0);
    }
    buffer_.consume(at_);
    start_message();
}

void reader::start_message() noexcept {
    at_ = value_ = wanted_ = elements_ = 0;
    open_.clear();
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
