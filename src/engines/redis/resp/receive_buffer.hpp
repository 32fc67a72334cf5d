#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace redlock::resp {

/// Bytes received and not yet taken, one after the other. Grows while a large message arrives and shrinks
/// again after it. Each byte is moved a bounded number of times on average, however small the pieces are.
class receive_buffer {
public:
    /// `message` is the length of the longest message that must fit. Throws std::bad_alloc.
    explicit receive_buffer(std::size_t message);

    /// Space to receive into: 4 KiB at least while fewer than `message` bytes are unread. Moves the unread
    /// bytes. Throws std::bad_alloc, and is then unchanged.
    std::span<char> prepare();

    /// The first `n` bytes of the space last prepared were received.
    void commit(std::size_t n) noexcept;

    std::string_view unread() const noexcept { return {bytes_.get() + begin_, end_ - begin_}; }

    /// Takes `n` of the unread bytes. They stay where they are until `prepare`.
    void consume(std::size_t n) noexcept { begin_ += n; }

private:
    void move_to(std::size_t capacity);

    std::size_t largest_capacity_;
    std::size_t capacity_;
    std::unique_ptr<char[]> bytes_;
    std::size_t begin_ = 0; ///< the first unread byte
    std::size_t end_ = 0;   ///< the byte after the last one received
};

} // namespace redlock::resp
