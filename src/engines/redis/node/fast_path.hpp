#pragma once

#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/queue/output_buffer.hpp"
#include "engines/redis/node/queue/pending_queue.hpp"
#include "engines/redis/node/server/node_health.hpp"
#include "time/instant.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

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
    bool submit(std::string_view command, reply_receiver* receiver, reply_tag tag,
                time::instant deadline) noexcept {
        settle();
        if (!is_open(deadline) || !output_->extend(command, output_limit_)) return false;
        pending_.push(receiver, tag, deadline);
        ++submitted_;
        return true;
    }

    /// For `broadcast`: whether the node would take this command, and such as follow right behind it. It then
    /// takes part until it is given what was collected.
    bool join(broadcast& collecting, std::string_view first, time::instant deadline) noexcept {
        settle();
        if (!is_open(deadline) || !output_->can_extend(first, output_limit_)) return false;
        joined_ = &collecting;
        return true;
    }
    std::size_t room_for_requests() const noexcept { return pending_.room(); }
    std::size_t room_for_bytes() const noexcept { return output_limit_ - output_->size(); }
    void take(std::span<const shared_request> row, std::uint32_t index, std::string_view commands,
              time::instant deadline) noexcept {
        joined_ = nullptr;
        if (row.empty()) return;
        output_->extend(commands, output_limit_);
        pending_.push_row(row, index, deadline);
        submitted_ += row.size();
    }

    /// Before anything else happens to the node's requests: what was collected for it stands before that.
    void settle() noexcept {
        if (joined_) [[unlikely]]
            joined_->hand_out();
    }

    std::uint64_t submitted() const noexcept { return submitted_; }

private:
    bool is_open(time::instant deadline) const noexcept {
        return output_ && deadline >= wakes_at_ && health_.state() == health::ready && pending_.has_room();
    }

    const node_health& health_;
    pending_queue& pending_;
    const time::instant& wakes_at_;
    const std::size_t output_limit_;
    output_buffer* output_ = nullptr;
    broadcast* joined_ = nullptr;
    std::uint64_t submitted_ = 0;
};

} // namespace redlock::node
