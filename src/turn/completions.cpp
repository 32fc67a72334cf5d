#include "turn/completions.hpp"

#include "turn/only_thread.hpp"

#include <boost/asio/post.hpp>

namespace redlock::detail {

namespace {

/// The function that is posted.
class delivery {
public:
    using allocator_type = pool_allocator<void>;

    delivery(const loop_executor& loop, completion_queue&& completions) noexcept
        : loop_(loop), completions_(std::move(completions)) {}
    allocator_type get_allocator() const noexcept { return {}; }

    void operator()() {
        const rest_at_the_end when_a_handler_throws{*this};
        do {
            completions_.pop().release()->deliver();
        } while (!completions_.empty());
    }

private:
    struct rest_at_the_end {
        delivery& of;
        ~rest_at_the_end() { of.post_rest(); }
    };

    void post_rest() {
        if (!completions_.empty()) post(loop_, std::move(completions_));
    }

    loop_executor loop_;
    completion_queue completions_;
};

} // namespace

void completion_queue::push(completion_pointer<completion> c) noexcept {
    completion* const last = c.release();
    (last_ ? last_->next_ : first_) = last;
    last_ = last;
}

completion_pointer<completion> completion_queue::pop() noexcept {
    completion_pointer<completion> first(first_);
    first_ = std::exchange(first->next_, nullptr);
    if (!first_) last_ = nullptr;
    return first;
}

void completion_queue::clear() noexcept {
    while (!empty())
        pop();
}

void post(const loop_executor& loop, completion_queue&& completions) {
    if (turn::is_only_thread()) return asio::post(loop, delivery(loop, std::move(completions)));
    // All of them now: what the callers ask for next is to leave in the one flush that comes behind.
    while (!completions.empty()) {
        completion_queue one;
        one.push(completions.pop());
        asio::post(loop, delivery(loop, std::move(one)));
    }
}

} // namespace redlock::detail
