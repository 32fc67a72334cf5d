#pragma once

#include "engines/redis/node/node.hpp"
#include "time/instant.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace redlock::node {

/// A request that waits for the first connection, with its own copy of the command.
struct held_request {
    std::string command;
    reply_receiver* receiver = nullptr;
    reply_tag tag{};
    time::instant deadline;
    bool subscription = false;
    std::uint16_t server = 0;
};

/// The requests submitted before a node first answered, oldest first. They are kept apart from the bytes on
/// their way to the socket because one whose deadline passes here must never be written.
///
/// Receivers may call any member from inside their calls. Not thread-safe.
class held_requests {
public:
    /// Holds at most `request_limit` requests whose commands take at most `byte_limit` bytes together.
    held_requests(std::size_t request_limit, std::size_t byte_limit) noexcept
        : request_limit_(request_limit), byte_limit_(byte_limit) {}

    /// Copies the request; false when that would pass a limit. A deadline before that of the request in front
    /// of it is put off until then. Throws std::bad_alloc.
    bool push(const request& r);

    /// Takes off the oldest request.
    std::optional<held_request> take();

    /// Drops every request whose deadline is not after `now`: their receivers get `node_timeout`. Returns how
    /// many.
    std::size_t expire(time::instant now) noexcept;

    /// Drops all: their receivers get `why`.
    void fail_all(errc why) noexcept;
    /// Drops all and calls nobody.
    void clear() noexcept;

    bool empty() const noexcept { return waiting_.empty(); }
    /// `instant::max()` when there is none.
    time::instant next_deadline() const noexcept {
        return waiting_.empty() ? time::instant::max() : waiting_.front().deadline;
    }

private:
    void drop_front(errc why) noexcept;

    std::size_t request_limit_;
    std::size_t byte_limit_;
    std::size_t bytes_ = 0;
    std::deque<held_request> waiting_;
};

} // namespace redlock::node
