#pragma once

#include "core/quorum/node_set.hpp"
#include "engines/redis/node/reply_tag.hpp"
#include "time/instant.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock::node {

class fast_path;
class reply_receiver;

/// One of several requests of which every node gets the same.
struct shared_request {
    reply_receiver* receiver;
    reply_tag tag; ///< of node 0: each node makes it that of its own
};

/// Takes the requests that all ready nodes get alike. It collects them, and hands each node a row of them at
/// once: a lock and its unlock on five nodes make two requests here, where they would make ten.
///
/// What it has accepted counts as submitted. A node that something else happens to, be it another request or
/// the end of its connection, has the row handed out first (`fast_path::settle`), so all goes on in the order
/// in which it was asked for. Not thread-safe: for the strand of the nodes.
class broadcast {
public:
    broadcast() = default;
    broadcast(const broadcast&) = delete;
    broadcast& operator=(const broadcast&) = delete;

    /// By their indices; null for a node that has none, and never takes part. What they belong to lives on
    /// for as long as this is in use. Before the first request.
    void set_nodes(std::vector<fast_path*> paths) noexcept { paths_ = std::move(paths); }

    /// Gives the request to each node that would take it by its fast path, and says which these are. To
    /// the others nothing was done. The command stays where it is until they were flushed.
    core::node_set submit(std::string_view command, reply_receiver* receiver, reply_tag tag,
                          time::instant deadline) noexcept {
        const bool goes_on =
            collected_ < limit_ && command.data() == end_ && deadline == deadline_ && command.size() <= room_;
        if (!goes_on && !begin(command, deadline)) [[unlikely]]
            return {};
        requests_[collected_++] = {receiver, tag};
        end_ += command.size();
        room_ -= command.size();
        return takers_;
    }

    /// Before anybody flushes the nodes, and before the turn ends.
    void hand_out() noexcept;

    /// The nodes that were given something since this was last asked.
    core::node_set take_unflushed() noexcept { return std::exchange(unflushed_, {}); }
    bool has_unflushed() const noexcept { return !unflushed_.empty(); }

private:
    bool begin(std::string_view command, time::instant deadline) noexcept;

    std::vector<fast_path*> paths_;
    const char* begin_ = nullptr; ///< of the commands, which stand one behind the other
    const char* end_ = nullptr;
    std::size_t room_ = 0;      ///< bytes that every taker has room for
    std::size_t collected_ = 0; ///< requests
    std::size_t limit_ = 0;     ///< of those: what every taker has room for, or 0 when nobody takes part
    time::instant deadline_;
    core::node_set takers_;
    core::node_set unflushed_;
    std::array<shared_request, 64> requests_;
};

} // namespace redlock::node
