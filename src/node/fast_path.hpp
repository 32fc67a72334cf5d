#pragma once

#include "node/node_health.hpp"
#include "node/output_buffer.hpp"
#include "node/pending_queue.hpp"
#include "time/instant.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace redlock::node {

/// Takes the requests that a node nearly always gets: a command that stays where it is, to a ready node with
/// room for it that wakes before its deadline anyway. Lock and unlock on five nodes make ten of them, so they
/// go without a virtual call. Whatever it does not take goes to `node::submit`.
class fast_path {
public:
    /// What it is given belongs to the node and lives as long. `wakes_at` is when the node looks at its
    /// deadlines.
    fast_path(const node_health& health, pending_queue& pending, const time::instant& wakes_at,
              std::size_t output_limit) noexcept
        : health_(health), pending_(pending), wakes_at_(wakes_at), output_limit_(output_limit) {}
    fast_path(const fast_path&) = delete;
    fast_path& operator=(const fast_path&) = delete;

    /// The node has a connection with this output, until `close`.
    void open(output_buffer& output) noexcept { output_ = &output; }
    void close() noexcept { output_ = nullptr; }

    /// As `node::submit` for a request that `stays`. False, and nothing was done, when it has to go there.
    bool submit(std::string_view command, reply_receiver* receiver, std::uint32_t tag,
                time::instant deadline) noexcept {
        if (!output_ || deadline < wakes_at_ || health_.state() != health::ready) return false;
        if (!pending_.has_room() || !output_->extend(command, output_limit_)) return false;
        pending_.push(receiver, tag, deadline);
        ++submitted_;
        return true;
    }

    std::uint64_t submitted() const noexcept { return submitted_; }

private:
    const node_health& health_;
    pending_queue& pending_;
    const time::instant& wakes_at_;
    const std::size_t output_limit_;
    output_buffer* output_ = nullptr;
    std::uint64_t submitted_ = 0;
};

} // namespace redlock::node
