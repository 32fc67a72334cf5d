#pragma once

#include <redlock/detail/handler_completion.hpp>

#include <utility>

namespace redlock::detail {

/// Completions in the order in which they are to be delivered. Discards what was not.
class completion_queue {
public:
    completion_queue() noexcept = default;
    completion_queue(completion_queue&& other) noexcept
        : first_(std::exchange(other.first_, nullptr)), last_(std::exchange(other.last_, nullptr)) {}
    completion_queue& operator=(completion_queue&&) = delete;
    ~completion_queue() { clear(); }

    bool empty() const noexcept { return first_ == nullptr; }
    void push(completion_pointer<completion> c) noexcept;
    /// Not when it is empty.
    completion_pointer<completion> pop() noexcept;
    void clear() noexcept;

private:
    completion* first_ = nullptr;
    completion* last_ = nullptr;
};

/// Has the loop deliver them, in order and without ever calling a handler from inside. In a process with
/// several threads each is a handler of its own to the loop, for another thread to take the next. With one
/// thread they are delivered in a row, as by a strand: to post each takes an allocation, and a mutex twice.
void post(const loop_executor& loop, completion_queue&& completions);

} // namespace redlock::detail
