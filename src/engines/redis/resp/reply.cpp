#include "engines/redis/resp/reply.hpp"

#include <cassert>

namespace redlock::resp {
namespace {

/// Decodes an item of a message that the reader has already found to be well-formed.
void decode_again(const char* at, const char* limit, item& found) noexcept {
    window in{.begin = at, .end = limit};
    [[maybe_unused]] const auto v = decode(in, found);
    assert(v == verdict::complete);
}

/// The byte after `count` values with all that belongs to them. An attribute is no value of its own: what is
/// inside it comes on top of the values to pass.
const char* pass(const char* at, const char* limit, std::size_t count) noexcept {
    item one;
    while (count > 0) {
        decode_again(at, limit, one);
        count += one.children;
        if (!one.attribute) --count;
        at = one.rest;
    }
    return at;
}

} // namespace

void reply::decode_at(const char* at, const char* limit, std::size_t siblings) noexcept {
    decode_again(at, limit, value_);
    while (value_.attribute)
        decode_again(pass(value_.rest, limit, value_.children), limit, value_);
    limit_ = limit;
    siblings_ = siblings;
    end_ = false;
}

reply reply::past_the_end() noexcept {
    reply none;
    none.end_ = true;
    return none;
}

reply reply::first() const noexcept {
    if (value_.children == 0) return past_the_end();
    reply child;
    child.decode_at(value_.rest, limit_, value_.children - 1);
    return child;
}

reply reply::next() const noexcept {
    if (siblings_ == 0) return past_the_end();
    reply sibling;
    sibling.decode_at(pass(value_.rest, limit_, value_.children), limit_, siblings_ - 1);
    return sibling;
}

} // namespace redlock::resp
