#pragma once

#include "node/node.hpp"
#include "resp/reply.hpp"
#include "time/instant.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

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
    /// Makes sure that the next `push` needs no memory. Throws std::bad_alloc.
    void reserve_one() {
        if (size() == capacity_) grow();
    }
    /// Appends one request; `reserve_one` was called before. `receiver` may be null. A deadline before that
    /// of the request in front of it is put off until then.
    /// A `subscription` takes no reply but an error or a confirmation.
    void push(reply_receiver* receiver, std::uint32_t tag, time::instant deadline,
              bool subscription = false) noexcept {
        if (awaited() && deadline < latest_) deadline = latest_;
        latest_ = deadline;
        at(back_++) = {receiver, deadline, tag, subscription};
    }

    /// Takes the front slot off and hands the reply to its receiver if that still waits. False when nothing
    /// is pending.
    bool answer(const resp::reply& reply) noexcept;

    /// Whether the front slot waits for a confirmation.
    bool awaits_confirmation() const noexcept {
        return front_ != back_ && slots_[front_ & (capacity_ - 1)].subscription;
    }
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

    bool empty() const noexcept { return front_ == back_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(back_ - front_); }
    /// Whether somebody, be it a null receiver, still waits for a reply.
    bool awaited() const noexcept { return live_ != back_; }
    /// The first deadline still to come; `instant::max()` when nothing is awaited.
    time::instant next_deadline() const noexcept {
        return awaited() ? slots_[live_ & (capacity_ - 1)].deadline : time::instant::max();
    }

    /// Running numbers: how many requests were ever pushed, and how many of them have left the queue.
    std::uint64_t pushed() const noexcept { return back_; }
    std::uint64_t removed() const noexcept { return front_; }

private:
    struct slot {
        reply_receiver* receiver = nullptr;
        time::instant deadline;
        std::uint32_t tag = 0;
        bool subscription = false;
    };

    slot& at(std::uint64_t number) noexcept { return slots_[number & (capacity_ - 1)]; }
    slot abandon_next() noexcept { return at(live_++); }
    void grow();
    void release_if_idle() noexcept;

    std::size_t limit_;
    std::unique_ptr<slot[]> slots_; ///< a ring; request n stands at n modulo the capacity
    std::size_t capacity_ = 0;      ///< a power of two, or 0
    std::uint64_t front_ = 0;       ///< number of the oldest slot
    std::uint64_t live_ = 0;        ///< number of the oldest slot that is not abandoned
    std::uint64_t back_ = 0;        ///< number of the next request
    time::instant latest_ = time::instant::min();
};

} // namespace redlock::node
