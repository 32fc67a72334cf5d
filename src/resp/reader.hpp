#pragma once

#include "resp/reply.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace redlock::resp {

/// What a peer may make the reader hold. A message is one top-level value with the attributes in front of it.
struct limits {
    std::size_t depth = 8; ///< aggregates inside each other
    std::size_t message =
        1024 * 1024;               ///< bytes of one message, from its first type byte to its last line end
    std::size_t elements = 65'536; ///< children of all aggregates of one message together
    std::size_t line = std::size_t{64} * 1024; ///< bytes of a simple string, an error or a number
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
/// Total on any bytes. Memory is bounded by `limits::message` plus a few KiB, and no reply allocates. A
/// message that arrives in pieces costs time linear in its bytes, however small the pieces are. Streamed
/// strings and aggregates
/// (`$?`, `*?`) and pushes inside other values are malformed. Not thread-safe.
class reader {
public:
    /// Throws std::bad_alloc.
    explicit reader(resp::limits limits = {});
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;

    /// Space to receive into, of some KiB at least. Ends the life of every reply given out. Throws
    /// std::bad_alloc. Empty only when whole messages as long as the limit were committed and not taken with
    /// `next`.
    std::span<char> prepare();

    /// The first `n` bytes of the space last prepared were received.
    void commit(std::size_t n) noexcept;

    /// Takes the next message. `out` is set on `complete` only, and lives until the next `prepare` or
    /// `reset`. Once malformed, always malformed, until `reset`.
    read_status next(reply& out) noexcept;

    /// What was wrong, with the limit that was passed; empty unless malformed. Lives until `reset`.
    std::string_view problem() const noexcept { return {problem_.data(), problem_size_}; }

    /// Forgets all input, as for a new connection. Throws std::bad_alloc.
    void reset();

private:
    /// An aggregate of which children are still to come.
    struct open_aggregate {
        std::size_t left;
        bool attribute;
    };

    window remaining() const noexcept;
    read_status wait(const window& in) noexcept;
    read_status fail(verdict why) noexcept;
    bool take(const item& value) noexcept;
    void deliver(const item& last, reply& out) noexcept;
    void resize(std::size_t capacity);

    resp::limits limits_;
    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;    ///< first byte of the message being read
    std::size_t at_ = 0;       ///< first byte of the item being read
    std::size_t end_ = 0;      ///< the byte after the last one received
    std::size_t wanted_ = 0;   ///< see window::wanted
    std::size_t value_ = 0;    ///< first byte of the message's value, after its attributes
    std::size_t elements_ = 0; ///< announced so far in this message
    std::vector<open_aggregate> open_;
    std::array<char, 128> problem_;
    std::size_t problem_size_ = 0;
};

} // namespace redlock::resp
