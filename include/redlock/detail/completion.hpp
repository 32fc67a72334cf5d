#pragma once

#include <redlock/detail/pool.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>

#include <cstring>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace redlock {

namespace asio = boost::asio;

namespace detail {

/// A handler with the results it is to be called with.
template <class Handler, class... Results>
class bound_completion {
public:
    using allocator_type = asio::associated_allocator_t<Handler, pool_allocator<void>>;

    template <class... Arguments>
    explicit bound_completion(Handler&& handler, Arguments&&... results)
        : handler_(std::move(handler)), results_(std::forward<Arguments>(results)...) {}

    allocator_type get_allocator() const noexcept {
        return asio::get_associated_allocator(handler_, pool_allocator<void>());
    }

    void operator()() {
        std::apply([this](Results&... results) { std::move(handler_)(std::move(results)...); }, results_);
    }

private:
    Handler handler_;
    std::tuple<Results...> results_;
};

using loop_executor = asio::io_context::executor_type;

/// The loop that both stand for, if they do and for no more than that.
inline std::optional<loop_executor> same_loop(const asio::any_io_executor& a,
                                              const asio::any_io_executor& b) noexcept {
    const auto* const loop = a.target<loop_executor>();
    const auto* const other = b.target<loop_executor>();
    return loop && other && *loop == *other ? std::optional(*loop) : std::nullopt;
}

/// Carries a completion from the client's strand to the handler's own executor: always posted, so that
/// foreign code never runs on the strand, and counted there as outstanding work from the initiation on. Only
/// not on the client's own loop, which has work anyway: the connections and timers of an open client, or the
/// turn that was posted for the call.
template <class Handler>
class posted_completion {
    using executor_type = asio::associated_executor_t<Handler, asio::any_io_executor>;
    using tracked_executor = std::decay_t<decltype(asio::prefer(std::declval<executor_type>(),
                                                                asio::execution::outstanding_work.tracked))>;
    static constexpr bool is_erased = std::is_same_v<executor_type, asio::any_io_executor> &&
                                      std::is_same_v<tracked_executor, executor_type>;

public:
    using allocator_type = asio::associated_allocator_t<Handler, pool_allocator<void>>;

    posted_completion(Handler&& handler, const asio::any_io_executor& clients)
        : handler_(std::move(handler)) {
        const auto& executor = asio::get_associated_executor(handler_, clients);
        if constexpr (is_erased) loop_ = same_loop(executor, clients);
        if (!loop_)
            elsewhere_.reset(
                new elsewhere(asio::prefer(executor, asio::execution::outstanding_work.tracked)));
    }

    allocator_type get_allocator() const noexcept {
        return asio::get_associated_allocator(handler_, pool_allocator<void>());
    }

    template <class... Results>
    void operator()(Results... results) {
        fetch_ahead();
        bound_completion<Handler, Results...> bound(std::move(handler_), std::move(results)...);
        if (loop_) return asio::post(*loop_, std::move(bound));
        const tracked_executor executor(std::move(elsewhere_->executor));
        elsewhere_.reset(); // before its memory is wanted for the post
        // Through the erased executor a function costs a second allocation, from the heap. And one that
        // tracks work counts each of the copies that `post` makes of it.
        if constexpr (std::is_same_v<tracked_executor, asio::any_io_executor>)
            if (const auto* loop = executor.template target<tracked_loop_executor>())
                return asio::post(asio::require(*loop, asio::execution::outstanding_work.untracked),
                                  std::move(bound));
        asio::post(executor, std::move(bound));
    }

private:
    /// The handler of a coroutine begins with a pointer to what it goes on with, which has left the nearer
    /// caches: it comes while the completion waits for its turn. For any other handler it makes no
    /// difference.
    void fetch_ahead() const noexcept {
        if constexpr (sizeof(Handler) >= sizeof(void*)) {
            const void* first = nullptr;
            std::memcpy(&first, static_cast<const void*>(std::addressof(handler_)), sizeof first);
            __builtin_prefetch(first);
        }
    }

    using tracked_loop_executor = std::decay_t<decltype(asio::require(
        std::declval<loop_executor>(), asio::execution::outstanding_work.tracked))>;

    struct elsewhere : pooled {
        explicit elsewhere(tracked_executor e) : executor(std::move(e)) {}
        tracked_executor executor;
    };

    Handler handler_;
    std::optional<loop_executor> loop_;    ///< when it goes to the client's own
    std::unique_ptr<elsewhere> elsewhere_; ///< apart, so that most, which need none, take one line of memory
};

template <class Handler>
asio::cancellation_slot cancellation_slot_of(const Handler& handler) noexcept {
    if constexpr (std::is_convertible_v<asio::associated_cancellation_slot_t<Handler>,
                                        asio::cancellation_slot>)
        return asio::get_associated_cancellation_slot(handler);
    else
        return {};
}

template <class Signature, class Handler>
asio::any_completion_handler<Signature> erase_handler(Handler handler,
                                                      const asio::any_io_executor& fallback) {
    return asio::any_completion_handler<Signature>(posted_completion<Handler>(std::move(handler), fallback));
}

} // namespace detail
} // namespace redlock
