#pragma once

#include "network/transport/io_source.hpp"

#include <boost/asio/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace redlock::test {

/// One connection of the virtual network. The client's end behaves as a socket does: handlers run on the
/// strand, never from inside the initiating member, and what was ready before `close` completes as it was.
/// For one thread.
class virtual_wire final : public network::stream {
public:
    using strand = network::io_source::strand;

    /// `fault` is called for each thing the client asks for, and may be empty; see `virtual_world`.
    virtual_wire(const strand& on, std::function<error_code()> fault);

    // The client's end.

    void async_connect(const network::destination& to, std::uint32_t attempt, listener told) override;
    void async_read_some(std::span<char> space, listener told) override;
    void async_wait_writable(listener told) override;
    std::size_t write_some(std::string_view bytes, error_code& ec) noexcept override;
    bool unread() const noexcept override { return !closed_ && !segments_.empty(); }
    void wake_at(std::size_t bytes) noexcept override;
    void acknowledge() noexcept override { ++acknowledgements_; }
    std::optional<std::chrono::nanoseconds> least_round_trip() const noexcept override {
        return std::chrono::nanoseconds(0);
    }
    void drop_unsent() noexcept override {}     // nothing is ever on its way here
    void interrupt() noexcept override {}       // what is unread here is always told
    void leave() noexcept override { close(); } // nobody forks here
    void close() noexcept override;

    // The server's end.

    bool connecting() const noexcept { return connecting_ != nullptr; }
    /// Whether the connection was made, and neither end has ended it.
    bool open() const noexcept { return established_ && !closed_ && !ended_; }
    void accept() { finish_connect({}); }
    void refuse(error_code why) { finish_connect(why); }

    /// Sends bytes that arrive in one piece; a read takes no more than one piece.
    void send(std::string segment);
    /// Closes the connection behind what was sent: the client reads `how` then (`eof` for an orderly end).
    void end(error_code how);
    /// Breaks the connection: what was sent and not read is lost, and nothing can be written any more.
    void reset();

    /// Breaks the connection for what the client writes alone: what was sent to it can still be read.
    void fail_writes(error_code how) { unwritable_ = how; }

    /// How many bytes the client's socket takes from now on before it would block.
    void admit(std::size_t bytes);
    /// What the client has written since the last call.
    std::string take() { return std::exchange(written_, {}); }
    /// How many bytes the client has written.
    std::size_t total() const noexcept { return total_; }
    /// Those that the client asked for.
    std::size_t acknowledgements() const noexcept { return acknowledgements_; }

private:
    void finish_connect(error_code ec);
    void pump();
    void wake();
    void let_write(error_code ec);
    error_code next_fault() const { return fault_ ? fault_() : error_code(); }

    strand strand_;
    std::function<error_code()> fault_;
    listener connecting_; ///< told when it is connected, and so on
    listener reading_;
    listener waiting_;
    std::span<char> space_;
    std::deque<std::string> segments_; ///< sent to the client and not read
    std::string written_;
    std::size_t total_ = 0;
    std::size_t acknowledgements_ = 0;
    std::size_t mark_ = 1; ///< so many unread bytes wake a reader
    std::size_t window_ = std::numeric_limits<std::size_t>::max();
    error_code unwritable_;  ///< how each write ends
    error_code ended_;       ///< what the client reads behind the segments
    bool exhausted_ = false; ///< the last read took all there was
    bool broken_ = false;
    bool established_ = false;
    bool closed_ = false;
};

} // namespace redlock::test
