#include "engines/etcd/line/message_frames.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace redlock::etcd {

namespace {

std::uint8_t byte_of(std::size_t number, unsigned place) noexcept {
    return static_cast<std::uint8_t>(number >> (8 * place));
}

std::size_t length_in(const char* prefix) noexcept {
    std::size_t length = 0;
    for (unsigned i = 1; i < message_prefix; ++i)
        length = length << 8 | static_cast<std::uint8_t>(prefix[i]);
    return length;
}

} // namespace

void outgoing_messages::append(std::string_view message) {
    assert(message.size() <= std::numeric_limits<std::uint32_t>::max());
    if (taken_ > 0 && all_taken()) clear();
    all_.reserve(all_.size() + message_prefix + message.size());
    all_.push_back(0); // not compressed
    for (unsigned place = 4; place-- > 0;)
        all_.push_back(static_cast<char>(byte_of(message.size(), place)));
    all_.append(message);
}

std::size_t outgoing_messages::take(std::span<char> room) noexcept {
    const std::size_t some = std::min(room.size(), left());
    std::memcpy(room.data(), all_.data() + taken_, some);
    taken_ += some;
    return some;
}

void outgoing_messages::clear() noexcept {
    all_.clear();
    taken_ = 0;
}

const char* incoming_messages::append(std::string_view piece, bool single) {
    if (passed_ > 0) {
        all_.erase(0, passed_);
        checked_ -= passed_;
        passed_ = 0;
    }
    all_.append(piece);
    while (all_.size() >= checked_ + message_prefix) {
        if (single && checked_ > 0) return "answered a call twice";
        const char* const prefix = all_.data() + checked_;
        if (*prefix != 0) return "sent a compressed message, which was not asked for";
        const std::size_t length = length_in(prefix);
        if (length > longest) return "sent a message of more than 4 MiB";
        checked_ += message_prefix + length;
    }
    if (single && checked_ > 0 && all_.size() > checked_) return "answered a call twice";
    return nullptr;
}

bool incoming_messages::next(std::string_view& message) noexcept {
    if (all_.size() < passed_ + message_prefix) return false;
    const std::size_t length = length_in(all_.data() + passed_);
    if (all_.size() - passed_ - message_prefix < length) return false;
    message = std::string_view(all_).substr(passed_ + message_prefix, length);
    passed_ += message_prefix + length;
    return true;
}

void incoming_messages::clear() noexcept {
    all_.clear();
    passed_ = checked_ = 0;
}

} // namespace redlock::etcd
