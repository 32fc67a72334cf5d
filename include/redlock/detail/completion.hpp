#pragma once

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
#include <boost/system/error_code.hpp>

#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace redlock {

namespace asio = boost::asio;

namespace detail {

/// The end of a call on its way from the client's strand to the handler. It is always delivered by the
/// handler's own executor, so that foreign code never runs on the strand, and counted there as outstanding
/// work from the initiation on. Only not by the client's own loop, which has work anyway: the connections and
/// timers of an open client, or the turn that was posted for the call.
class completion {
public:
    completion(const completion&) = delete;
    completion& operator=(const completion&) = delete;

    /// Has the handler's executor deliver it, and belongs to that from now on. Or false, and nothing was done:
    /// for the client's own loop, which delivers several with one post.
    virtual bool post() = 0;
    /// Calls the handler with the results, on the executor that is right for it. It is gone before the
    /// handler begins.
    virtual void deliver() = 0;
    /// Lets go of the handler without calling it.
    virtual void discard() noexcept = 0;

protected:
    completion() = default;
    ~completion() = default;

private:
    friend class completion_queue;
    completion* next_ = nullptr;
};

struct discard_completion {
    void operator()(completion* c) const noexcept { c->discard(); }
};

template <class T>
using completion_pointer = std::unique_ptr<T, discard_completion>;

/// A completion that still waits for its results.
template <class... Results>
class open_completion : public completion {
public:
    /// Once, before it is posted or delivered.
    virtual void set(const boost::system::error_code& ec, Results... results) noexcept = 0;

protected:
    ~open_completion() = default;
};

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
    static completion_pointer<open_completion<Results...>> make(Handler&& handler, Where where) {
        own_allocator memory(asio::get_associated_allocator(handler, pool_allocator<void>()));
        handler_completion* const room = memory_traits::allocate(memory, 1);
        try {
            return completion_pointer<open_completion<Results...>>(::new (
                static_cast<void*>(room)) handler_completion(std::move(handler), std::move(where)));
        } catch (...) {
            memory_traits::deallocate(memory, room, 1);
            throw;
        }
    }

    void set(const boost::system::error_code& ec, Results... results) noexcept override {
        fetch_ahead();
        category_ = &ec.category();
        error_ = ec.value();
        results_ = std::tuple<Results...>(std::move(results)...);
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
        const boost::system::error_code ec(error_, *category_);
        std::tuple<Results...> results(std::move(results_));
        destroy(memory);
        std::apply([&](Results&... each) { std::move(handler)(ec, std::move(each)...); }, results);
    }

    void discard() noexcept override {
        own_allocator memory(asio::get_associated_allocator(handler_, pool_allocator<void>()));
        destroy(memory);
    }

private:
    handler_completion(Handler&& handler, Where&& where)
        : handler_(std::move(handler)), where_(std::move(where)) {}
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
template <class... Results, class Handler>
completion_pointer<open_completion<Results...>> erase_handler(Handler handler,
                                                              const asio::any_io_executor& clients) {
    using executor_type = asio::associated_executor_t<Handler, asio::any_io_executor>;
    using tracked = tracked_executor<executor_type>;
    constexpr bool is_erased = std::is_same_v<executor_type, asio::any_io_executor>;
    const auto& executor = asio::get_associated_executor(handler, clients);
    if constexpr (is_erased)
        if (is_same_loop(executor, clients))
            return handler_completion<Handler, clients_loop, Results...>::make(std::move(handler), {});
    return handler_completion<Handler, tracked, Results...>::make(
        std::move(handler), asio::prefer(executor, asio::execution::outstanding_work.tracked));
}

} // namespace detail
} // namespace redlock
