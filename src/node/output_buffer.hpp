#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redlock::node {

/// Bytes on their way to a socket, first in, first out. Not thread-safe.
class output_buffer {
public:
    void append(std::string_view bytes) { bytes_.append(bytes); }
    /// For encoders: whatever is appended to it follows what is there.
    std::string& tail() noexcept { return bytes_; }

    bool empty() const noexcept { return sent_ == bytes_.size(); }
    std::size_t size() const noexcept { return bytes_.size() - sent_; }
    std::string_view unsent() const noexcept { return std::string_view(bytes_).substr(sent_); }

    /// The socket took the first `n` unsent bytes.
    void sent(std::size_t n) noexcept {
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
};

} // namespace redlock::node
