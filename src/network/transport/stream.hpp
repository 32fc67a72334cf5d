#pragma once

#include "network/destination.hpp"

#include <redlock/error.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace redlock::network {

/// Is told how what was begun on a stream has ended: by one call for each operation, on the strand, never
/// from inside the member that began it.
class stream_listener {
public:
    using error_code = boost::system::error_code;

    virtual void on_connected(error_code ec) = 0;
    virtual void on_read(error_code ec, std::size_t n) = 0;
    /// `write_some` may take more.
    virtual void on_writable(error_code ec) = 0;

protected:
    ~stream_listener() = default;
};

/// What keeps a stream that does more than to carry bytes from going on.
struct obstacle {
    errc why;
    std::string text; ///< continues a sentence that begins with the node's name
};

/// The bytes between this process and one server: the one place that knows what they travel through. Sockets
/// in a program, with encryption around them or without, a network in the test's hand in tests.
///
/// A stream connects once. One connect and one read at a time; a wait for writability may be outstanding
/// beside them. What is outstanding holds its listener, which keeps the stream alive.
class stream {
public:
    using error_code = boost::system::error_code;
    using listener = std::shared_ptr<stream_listener>;

    stream() = default;
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    virtual ~stream() = default;

    /// Resolves the host if it is a name and connects to the first of its addresses that answers, beginning
    /// with another one at each `attempt`.
    virtual void async_connect(const destination& to, std::uint32_t attempt, listener told) = 0;

    /// `space` must stay where it is until the listener was told.
    virtual void async_read_some(std::span<char> space, listener told) = 0;

    virtual void async_wait_writable(listener told) = 0;

    /// Hands over as much as is taken at once, without waiting: `would_block` when that is nothing, or when
    /// what was taken waits here for the stream to be writable again, and with it whatever follows.
    virtual std::size_t write_some(std::string_view bytes, error_code& ec) noexcept = 0;

    /// Bytes are unread although a read is outstanding: has it end with `operation_aborted`, to begin anew. A
    /// child that waited on the same epoll may have been told of them instead. A wait for writability ends
    /// so, too.
    virtual void interrupt() noexcept = 0;

    /// Whether bytes have arrived that nobody has read yet.
    virtual bool unread() const noexcept = 0;

    /// Wakes nobody while fewer bytes than that are unread (`SO_RCVLOWAT`), except at the end of the
    /// connection. A lower number than before wakes at once when so many are.
    virtual void wake_at(std::size_t bytes) noexcept = 0;

    /// Tells the server's system now what has been read (`TCP_QUICKACK`), not when more is read: a system
    /// that owes an acknowledgement sends it before it hands over the next segment.
    virtual void acknowledge() noexcept = 0;

    /// Between the two systems, where that is known.
    virtual std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept = 0;

    /// What was written and is still on its way goes no further when the connection is closed. Otherwise the
    /// system goes on sending it, for minutes if it must.
    virtual void drop_unsent() noexcept = 0;

    /// Why the last operation failed, or what the connect that is under way still waits for from a server
    /// that was reached, where the stream knows more of it than an error code says.
    virtual const obstacle* met() const noexcept { return nullptr; }

    /// In a forked child, whose context has been told: gives up the child's descriptor of the connection,
    /// which goes on for the parent. What is outstanding ends with `operation_aborted`.
    ///
    /// Without that a stream that the parent made is as good as broken in the child: nothing is written to
    /// it, read from it or set.
    virtual void leave() noexcept = 0;

    /// Ends the connection. What is outstanding ends with `operation_aborted`.
    virtual void close() noexcept = 0;
};

} // namespace redlock::network
