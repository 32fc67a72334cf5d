#pragma once

#include <redlock/detail/completion.hpp>
#include <redlock/detail/pool.hpp>

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

#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace redlock {

namespace asio = boost::asio;

namespace detail {

using loop_executor = asio::io_context::executor_type;

/// Whether both stand for the same loop, and for no more than that.
inline bool is_same_loop(const asio::any_io_executor& a, const asio::any_io_executor& b) noexcept {
    const auto* const loop = a.target<loop_executor>();
    const auto* const other = b.target<loop_executor>();
    return loop && other && *loop == *other;
}

/// One that counts as work of its context.
template <class Executor>
using tracked_executor = std::decay_t<decltype(asio::prefer(std::declval<const Executor&>(),
                                                            asio::execution::outstanding_work.tracked))>;

/// Posts to where `Tracked` leads, whose count of work is given up.
template <class Tracked, class Function>
void post_to(const Tracked& executor, Function&& function) {
    // Through the erased executor a function costs a second allocation, from the heap. And one that tracks
    // work counts each of the copies that `post` makes of it.
    using tracked_loop = tracked_executor<loop_executor>;
    if constexpr (std::is_same_v<Tracked, asio::any_io_executor>)
        if (const auto* loop = executor.template target<tracked_loop>())
            return asio::post(asio::require(*loop, asio::execution::outstanding_work.untracked),
                              std::forward<Function>(function));
    asio::post(executor, std::forward<Function>(function));
}

struct clients_loop {};

/// In memory of the handler's allocator. `Where` it goes is `clients_loop`, or an executor that tracks work.
template <class Handler, class Where, class... Results>
class handler_completion final : public open_completion<Results...> {
    using allocator_type = asio::associated_allocator_t<Handler, pool_allocator<void>>;
    using own_allocator =
        typename std::allocator_traits<allocator_type>::template rebind_alloc<handler_completion>;
    using memory_traits = std::allocator_traits<own_allocator>;

public:
    template <class Token>
    static completion_pointer<open_completion<Results...>> make(Token&& handler, Where where) {
        own_allocator memory(asio::get_associated_allocator(handler, pool_allocator<void>()));
        handler_completion* const room = memory_traits::allocate(memory, 1);
        try {
            return completion_pointer<open_completion<Results...>>(::new (
                static_cast<void*>(room)) handler_completion(std::forward<Token>(handler), std::move(where)));
        } catch (...) {
            memory_traits::deallocate(memory, room, 1);
            throw;
        }
    }

    void set(const boost::system::error_code& ec, Results&&... results) noexcept override {
        category_ = &ec.category();
        error_ = ec.value();
        results_ = std::forward_as_tuple(std::move(results)...);
    }

    diagnostics* wanted_diagnostics() noexcept override {
        return associated_diagnostics<Handler>::get(handler_);
    }

    bool post() override {
        if constexpr (std::is_same_v<Where, clients_loop>) {
            return false;
        } else {
            const Where executor(std::move(where_));
            post_to(executor, delivery(*this));
            return true;
        }
    }

    void deliver() override {
        own_allocator memory(asio::get_associated_allocator(handler_, pool_allocator<void>()));
        Handler handler(std::move(handler_));
        boost::system::error_code ec(error_, *category_);
        std::tuple<Results...> results(std::move(results_));
        destroy(memory);
        std::apply([&](Results&... each) { std::move(handler)(std::move(ec), std::move(each)...); }, results);
    }

    void discard() noexcept override {
        own_allocator memory(asio::get_associated_allocator(handler_, pool_allocator<void>()));
        destroy(memory);
    }

private:
    template <class Token>
    handler_completion(Token&& handler, Where&& where)
        : handler_(std::forward<Token>(handler)), where_(std::move(where)) {}
    ~handler_completion() = default;

    void destroy(own_allocator& memory) noexcept {
        this->~handler_completion();
        memory_traits::deallocate(memory, this, 1);
    }

    /// The function that is posted.
    class delivery {
    public:
        using allocator_type = handler_completion::allocator_type;

        explicit delivery(handler_completion& c)
            : memory_(asio::get_associated_allocator(c.handler_, pool_allocator<void>())), of_(&c) {}
        allocator_type get_allocator() const noexcept { return memory_; }
        void operator()() { of_.release()->deliver(); }

    private:
        allocator_type memory_;
        completion_pointer<handler_completion> of_;
    };

    // That of a coroutine that awaits a lock takes one line of the caches; hence no whole `error_code`.
    Handler handler_;
    [[no_unique_address]] Where where_;
    const boost::system::error_category* category_ = nullptr;
    int error_ = 0;
    [[no_unique_address]] std::tuple<Results...> results_;
};

template <class Handler>
asio::cancellation_slot cancellation_slot_of(const Handler& handler) noexcept {
    if constexpr (std::is_convertible_v<asio::associated_cancellation_slot_t<Handler>,
                                        asio::cancellation_slot>)
        return asio::get_associated_cancellation_slot(handler);
    else
        return {};
}

/// For a call of a client with this executor, which stands in where the handler has none.
template <class... Results, class Token>
completion_pointer<open_completion<Results...>> erase_handler(Token&& handler,
                                                              const asio::any_io_executor& clients) {
    using Handler = std::decay_t<Token>;
    using executor_type = asio::associated_executor_t<Handler, asio::any_io_executor>;
    using tracked = tracked_executor<executor_type>;
    constexpr bool is_erased = std::is_same_v<executor_type, asio::any_io_executor>;
    const auto& executor = asio::get_associated_executor(handler, clients);
    if constexpr (is_erased)
        if (is_same_loop(executor, clients))
            return handler_completion<Handler, clients_loop, Results...>::make(std::forward<Token>(handler),
                                                                               {});
    return handler_completion<Handler, tracked, Results...>::make(
        std::forward<Token>(handler), asio::prefer(executor, asio::execution::outstanding_work.tracked));
}

} // namespace detail
} // namespace redlock
