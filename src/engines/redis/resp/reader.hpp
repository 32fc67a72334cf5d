#pragma once

#include "engines/redis/resp/receive_buffer.hpp"
#include "engines/redis/resp/reply.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace redlock::resp {

/// What a peer may make the reader hold. A message is one top-level value with the attributes in front of it.
struct limits {
    std::size_t depth = 8;             ///< aggregates inside each other
    std::size_t message = 1024 * 1024; ///< bytes of one message, from its first to its last line end
    std::size_t elements = 65'536;     ///< children of all aggregates of one message together
    std::size_t line =
        std::size_t{64} * 1024; ///< bytes of a simple string, an error, a real or a big number; 64 at least
};

enum class read_status : std::uint8_t {
    complete,   ///< a message was read
    incomplete, ///< the message needs more bytes
    malformed   ///< the peer does not speak RESP or passed a limit; `reader::problem()` says how
};

/// Incremental decoder of RESP2 and RESP3 that owns the buffer it reads from:
///
///     const auto space = reader.prepare();
///     reader.commit(receive(space));
///     while (reader.next(reply) == read_status::complete) …
///
/// Total on any bytes. Memory is bounded by twice `limits::message` plus some KiB, and no reply allocates. A
/// message that arrives in pieces costs time linear in its bytes, however small the pieces are. Streamed
/// strings and aggregates
/// (`$?`, `*?`) and pushes inside other values are malformed. Not thread-safe.
class reader {
public:
    /// Throws std::bad_alloc.
    explicit reader(resp::limits limits = {});
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;

    /// Space to receive into, of 4 KiB at least. Ends the life of every reply given out. Throws
    /// std::bad_alloc. Smaller or empty only when `next` was not called until it was incomplete since bytes
    /// were last committed.
    std::span<char> prepare() { return buffer_.prepare(); }

    /// The first `n` bytes of the space last prepared were received.
    void commit(std::size_t n) noexcept;

    /// Takes the next message. `out` is set on `complete` only, and lives until the next `prepare` or
    /// `reset`. Once malformed, always malformed, until `reset`.
    read_status next(reply& out) noexcept;

    /// Takes the next message if it is a `+OK`, a null or an integer of one digit, which is what most replies
    /// to commands about locks are, and at least five bytes have come. Otherwise null, and `next` knows more.
    /// What is pointed to is constant and lives for ever.
    const reply* next_brief() noexcept;

    /// What was wrong, with the limit that was passed; empty unless malformed. Lives until `reset`.
    std::string_view problem() const noexcept { return {problem_.data(), problem_size_}; }

    /// Forgets all input, as for a new connection.
    void reset() noexcept;

private:
    /// An aggregate of which children are still to come.
    struct open_aggregate {
        std::size_t left;
        bool attribute;
    };

    struct brief_replies;
    read_status take_any(reply& out) noexcept;
    bool finishes_message(const item& read) noexcept;
    void deliver(reply& out, const char* rest) noexcept;
    void start_message() noexcept;
    read_status fail(verdict why) noexcept;

    resp::limits limits_;
    receive_buffer buffer_;
    std::vector<open_aggregate> open_;
    // Offsets from the first byte of the message being read, which is the first unread one of the buffer.
    std::size_t at_ = 0;    ///< the item to decode next
    std::size_t value_ = 0; ///< the message's value, after its attributes
    window in_;             ///< what the next item may be
    std::array<char, 128> problem_;
    std::size_t problem_size_ = 0;
};

} // namespace redlock::resp
