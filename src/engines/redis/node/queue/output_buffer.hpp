#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::node {

/// Bytes on their way to a socket, first in, first out. Not thread-safe.
class output_buffer {
public:
    void append(std::string_view bytes) { tail().append(bytes); }
    /// For encoders: whatever is appended to it follows what is there.
    std::string& tail() {
        keep();
        return bytes_;
    }
    /// Appends bytes that stay where they are until `keep`, by referring to them. False, and nothing was
    /// done, when something else is unsent than such bytes right in front of these, or more than `limit`
    /// would be.
    bool extend(std::string_view bytes, std::size_t limit) noexcept {
        if (!can_extend(bytes, limit)) return false;
        const bool first = staying_.empty();
        staying_ = {first ? bytes.data() : staying_.data(), staying_.size() + bytes.size()};
        return true;
    }
    bool can_extend(std::string_view bytes, std::size_t limit) const noexcept {
        if (staying_.size() + bytes.size() > limit) return false;
        return staying_.empty() ? empty() : staying_.data() + staying_.size() == bytes.data();
    }
    /// Copies what it refers to.
    void keep() {
        if (staying_.empty()) return;
        bytes_.append(staying_);
        staying_ = {};
    }

    /// For when `keep` failed, and the connection is not used any more.
    void forget_staying() noexcept { staying_ = {}; }

    bool empty() const noexcept { return size() == 0; }
    std::size_t size() const noexcept { return staying_.size() + bytes_.size() - sent_; }
    std::string_view unsent() const noexcept {
        return staying_.empty() ? std::string_view(bytes_).substr(sent_) : staying_;
    }

    /// The socket took the first `n` unsent bytes.
    void sent(std::size_t n) noexcept {
        if (!staying_.empty()) {
            staying_ = n < staying_.size() ? staying_.substr(n) : std::string_view();
            return;
        }
        sent_ += n;
        if (empty()) {
            start_afresh();
        } else if (sent_ > bytes_.size() / 2) {
            // At least half goes, so each byte is moved once at most, on average.
            bytes_.erase(0, sent_);
            sent_ = 0;
        }
    }

private:
    void start_afresh() noexcept {
        constexpr std::size_t largest_idle = std::size_t{256} * 1024;
        bytes_.clear();
        sent_ = 0;
        if (bytes_.capacity() > largest_idle) std::string().swap(bytes_); // a burst's memory is not kept
    }

    std::string bytes_;
    std::size_t sent_ = 0;
    std::string_view staying_; ///< what it refers to; then all of `bytes_` was sent
};

} // namespace redlock::node
