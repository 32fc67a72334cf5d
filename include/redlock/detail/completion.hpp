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

/// Carries a completion from the client's strand to the handler's own executor: always posted, so that
/// foreign code never runs on the strand, and counted there as outstanding work from the initiation on.
template <class Handler>
class posted_completion {
    using executor_type = asio::associated_executor_t<Handler, asio::any_io_executor>;
    using tracked_executor = std::decay_t<decltype(asio::prefer(std::declval<executor_type>(),
                                                                asio::execution::outstanding_work.tracked))>;

public:
    using allocator_type = asio::associated_allocator_t<Handler, pool_allocator<void>>;

    posted_completion(Handler&& handler, const asio::any_io_executor& fallback)
        : executor_(asio::prefer(asio::get_associated_executor(handler, fallback),
                                 asio::execution::outstanding_work.tracked)),
          handler_(std::move(handler)) {}

    allocator_type get_allocator() const noexcept {
        return asio::get_associated_allocator(handler_, pool_allocator<void>());
    }

    template <class... Results>
    void operator()(Results... results) {
        tracked_executor executor(std::move(executor_));
        bound_completion<Handler, Results...> bound(std::move(handler_), std::move(results)...);
        // Through the erased executor a function costs a second allocation, from the heap. And one that
        // tracks work counts each of the copies that `post` makes of it.
        if constexpr (std::is_same_v<tracked_executor, asio::any_io_executor>)
            if (const auto* loop = executor.template target<tracked_loop_executor>())
                return asio::post(asio::require(*loop, asio::execution::outstanding_work.untracked),
                                  std::move(bound));
        asio::post(executor, std::move(bound));
    }

private:
    using tracked_loop_executor = std::decay_t<decltype(asio::require(
        std::declval<asio::io_context::executor_type>(), asio::execution::outstanding_work.tracked))>;

    tracked_executor executor_;
    Handler handler_;
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
