#pragma once

#include "engines/redis/node/broadcast.hpp"
#include "engines/redis/node/node.hpp"
#include "engines/redis/node/queue/numbered_ring.hpp"
#include "engines/redis/resp/reply.hpp"
#include "time/instant.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace redlock::node {

/// The requests written to one connection and not yet answered, oldest first. A server answers in order, so
/// the next reply belongs to the front. A request whose deadline passes is abandoned: its receiver hears of
/// it at once, but its slot stays, to swallow the reply that may still come. Hence the queue is always some
/// abandoned slots, then some awaited ones, and deadlines never decrease from front to back.
///
/// Receivers may push, expire, fail and clear from inside their calls. Not thread-safe.
class pending_queue {
public:
    /// Holds at most `limit` requests, abandoned ones included.
    explicit pending_queue(std::size_t limit) noexcept : limit_(limit) {}

    bool full() const noexcept { return size() >= limit_; }
    /// Whether the next `push` needs no memory, and is allowed.
    bool has_room() const noexcept { return slots_.size() < room_ && deadlines_.has_room(); }
    /// How many requests can be pushed now without memory.
    std::size_t room() const noexcept { return deadlines_.has_room() ? room_ - slots_.size() : 0; }
    /// Makes sure that there is memory for it. Throws std::bad_alloc.
    void reserve_one() {
        if (!slots_.has_room()) slots_.grow();
        if (!deadlines_.has_room()) deadlines_.grow();
        room_ = std::min(limit_, slots_.capacity());
    }
    /// Appends one request, while there is memory for it. `receiver` may be null. A deadline before that
    /// of the request in front of it is put off until then.
    /// A `subscription` takes no reply but an error or a confirmation.
    void push(reply_receiver* receiver, reply_tag tag, time::instant deadline,
              bool subscription = false) noexcept {
        slots_.push({receiver, tag, subscription});
        set_deadline(deadline);
    }
    /// Appends these, as far as there is room for them, for the node with this index.
    void push_row(std::span<const shared_request> row, std::uint32_t index, time::instant deadline) noexcept {
        for (const shared_request& r : row)
            slots_.push({r.receiver, r.tag.for_node(index), false});
        set_deadline(deadline);
    }

    /// Takes the front slot off and hands the reply to its receiver if that still waits. False when nothing
    /// is pending.
    bool answer(const resp::reply& reply) noexcept {
        if (slots_.empty()) return false;
        const reply_tag tag = slots_.front().tag;
        if (reply_receiver* const receiver = take_front()) receiver->on_reply(tag, reply);
        return true;
    }

    /// Whether the front slot waits for a confirmation.
    bool awaits_confirmation() const noexcept { return !slots_.empty() && slots_.front().subscription; }
    /// Takes the front slot off, which gets no reply any more.
    void pass_over(errc why) noexcept;
    /// Abandons the subscriptions that are due and stand before everything else that is awaited.
    void expire_subscriptions(time::instant now) noexcept;

    /// Abandons every request whose deadline is not after `now`: their receivers get `node_timeout`. Returns
    /// how many; takes time in proportion to that.
    std::size_t expire(time::instant now) noexcept;

    /// Empties the queue: receivers that still wait get `why`.
    void fail_all(errc why) noexcept;
    /// Empties the queue and calls nobody.
    void clear() noexcept;

    /// Gives the memory of a burst back. Not while somebody counts on the `room` there was.
    void release_if_idle() noexcept {
        if (slots_.empty() && slots_.capacity() > largest_idle_ring) release();
    }

    bool empty() const noexcept { return slots_.empty(); }
    std::size_t size() const noexcept { return slots_.size(); }
    /// Whether somebody, be it a null receiver, still waits for a reply.
    bool awaited() const noexcept { return live_ != slots_.back_number(); }
    /// How many replies are.
    std::size_t replies_awaited() const noexcept {
        return static_cast<std::size_t>(slots_.back_number() - live_);
    }
    /// How many replies are still to come to what was abandoned.
    std::size_t overdue() const noexcept { return static_cast<std::size_t>(live_ - slots_.front_number()); }
    /// The first deadline still to come; `instant::max()` when nothing is awaited.
    time::instant next_deadline() const noexcept {
        return awaited() ? deadlines_.front().deadline : time::instant::max();
    }

    /// Running numbers: how many requests were ever pushed, and how many of them have left the queue.
    std::uint64_t pushed() const noexcept { return slots_.back_number(); }
    std::uint64_t removed() const noexcept { return slots_.front_number(); }

private:
    struct slot {
        reply_receiver* receiver;
        reply_tag tag;
        bool subscription;
    };
    /// That of the awaited requests with numbers below `end`, as far as they are not below that of the one
    /// before: nearly all requests of a turn have the same.
    struct common_deadline {
        time::instant deadline;
        std::uint64_t end;
    };

    /// Of what was just pushed.
    void set_deadline(time::instant deadline) noexcept {
        if (deadlines_.empty() || deadline > deadlines_.back().deadline)
            deadlines_.push({deadline, slots_.back_number()});
        else
            deadlines_.back().end = slots_.back_number();
    }
    /// Its receiver, if that still waits.
    reply_receiver* take_front() noexcept {
        const bool abandoned = slots_.front_number() != live_;
        reply_receiver* const receiver = slots_.front().receiver;
        slots_.pop();
        if (!abandoned) pass_live();
        return abandoned ? nullptr : receiver;
    }
    slot abandon_next() noexcept;
    void pass_live() noexcept {
        if (++live_ == deadlines_.front().end) deadlines_.pop();
    }
    void release() noexcept;

    /// An idle queue keeps a ring of up to this many slots; a larger one was grown by a burst.
    static constexpr std::size_t largest_idle_ring = 4096;

    std::size_t limit_;
    std::size_t room_ = 0; ///< the limit, or what there is memory for
    numbered_ring<slot> slots_;
    numbered_ring<common_deadline> deadlines_; ///< of what is awaited, ascending
    std::uint64_t live_ = 0;                   ///< number of the oldest slot that is not abandoned
};

} // namespace redlock::node
