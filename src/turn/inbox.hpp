#pragma once

#include "turn/only_thread.hpp"

#include <atomic>
#include <utility>

namespace redlock::turn {

/// Something that was asked for from any thread and is to begin on the strand.
class inbox_item {
public:
    /// On the strand, once for each `push`.
    virtual void arrive() noexcept = 0;
    /// Instead of `arrive`, when the strand will never run again: let go of everything.
    virtual void discard() noexcept = 0;

protected:
    ~inbox_item() = default;

private:
    friend class inbox;
    inbox_item* next_ = nullptr;
};

/// Gets the strand to call `runtime::take_calls`.
class inbox_waker {
public:
    /// From any thread, once for each time the inbox stops being empty, or more often.
    virtual void wake() noexcept = 0;

protected:
    ~inbox_waker() = default;
};

/// Carries calls from any thread to the strand: a lock-free stack, emptied whole. However many calls come at
/// once, the strand is woken once, and their commands leave together.
class inbox {
public:
    explicit inbox(inbox_waker& waker) noexcept : waker_(waker) {}

    /// From any thread. The item must live until `arrive` or `discard`.
    void push(inbox_item& item) noexcept {
        if (shut_.load(std::memory_order_acquire)) return item.discard();
        inbox_item* top = top_.load(std::memory_order_relaxed);
        // A locked instruction would wait until everything that was written before, the call itself to begin
        // with, has reached the cache.
        if (is_only_thread()) {
            item.next_ = top;
            top_.store(&item, std::memory_order_relaxed);
        } else {
            do
                item.next_ = top;
            while (!top_.compare_exchange_weak(top, &item, std::memory_order_release,
                                               std::memory_order_relaxed));
        }
        if (!top || each_wakes_.load(std::memory_order_acquire)) waker_.wake();
    }

    /// From now on every item wakes the strand: nothing else may be left that keeps its executor at work
    /// until another thread has woken it for the item before.
    void wake_for_each() noexcept { each_wakes_.store(true, std::memory_order_release); }

    /// On the strand: calls `begin` for every item, oldest first.
    template <class Begin>
    void take(Begin begin) {
        inbox_item* oldest = nullptr;
        for (inbox_item* item = top_.exchange(nullptr, std::memory_order_acquire); item;) {
            inbox_item* below = item->next_;
            item->next_ = std::exchange(oldest, item);
            item = below;
        }
        while (oldest)
            begin(*std::exchange(oldest, oldest->next_));
    }

    /// The strand will never run again: discards what is there, and whatever comes. While no other thread
    /// pushes.
    void shut() noexcept {
        shut_.store(true, std::memory_order_release);
        take([](inbox_item& item) { item.discard(); });
    }

private:
    std::atomic<inbox_item*> top_{nullptr};
    std::atomic<bool> shut_{false};
    std::atomic<bool> each_wakes_{false};
    inbox_waker& waker_;
};

} // namespace redlock::turn
