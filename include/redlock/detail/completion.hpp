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

    /// Whether the client's own loop is to deliver it, which then takes several with one post.
    virtual bool is_for_clients_loop() const noexcept = 0;
    /// Has the handler's executor deliver it, unless that is the client's own loop. Owns itself from now on.
    virtual void post() = 0;
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

/// A completion that still waits for its results.
template <class... Results>
class open_completion : public completion {
public:
    /// Once, before it is posted or delivered.
    virtual void set(Results... results) noexcept = 0;

protected:
    ~open_completion() = default;
};

template <class T>
using completion_pointer = std::unique_ptr<T, discard_completion>;

using loop_executor = asio::io_context::executor_type;

/// Whether both stand for the same loop, and for no more than that.
inline bool is_same_loop(const asio::any_io_executor& a, const asio::any_io_executor& b) noexcept {
    const auto* const loop = a.target<loop_executor>();
    const auto* const other = b.target<loop_executor>();
    return loop && other && *loop == *other;
}

template <class Handler, class... Results>
class handler_completion final : public open_completion<Results...> {
    using executor_type = asio::associated_executor_t<Handler, asio::any_io_executor>;
    using tracked_executor = std::decay_t<decltype(asio::prefer(std::declval<executor_type>(),
                                                                asio::execution::outstanding_work.tracked))>;
    static constexpr bool is_erased = std::is_same_v<executor_type, asio::any_io_executor> &&
                                      std::is_same_v<tracked_executor, executor_type>;
    using allocator_type = asio::associated_allocator_t<Handler, pool_allocator<void>>;
    using own_allocator =
        typename std::allocator_traits<allocator_type>::template rebind_alloc<handler_completion>;

public:
    static completion_pointer<handler_completion> make(Handler&& handler,
                                                       const asio::any_io_executor& clients) {
        own_allocator memory(asio::get_associated_allocator(handler, pool_allocator<void>()));
        struct giving_back {
            own_allocator& memory;
            void operator()(handler_completion* p) const noexcept {
                std::allocator_traits<own_allocator>::deallocate(memory, p, 1);
            }
        };
        std::unique_ptr<handler_completion, giving_back> room(
            std::allocator_traits<own_allocator>::allocate(memory, 1), giving_back{memory});
        ::new (static_cast<void*>(room.get())) handler_completion(std::move(handler), clients);
        return completion_pointer<handler_completion>(room.release());
    }

    void set(Results... results) noexcept override {
        fetch_ahead();
        results_ = std::tuple<Results...>(std::move(results)...);
    }

    bool is_for_clients_loop() const noexcept override { return !elsewhere_; }

    void post() override {
        const tracked_executor executor(std::move(elsewhere_->executor));
        elsewhere_.reset(); // before its memory is wanted for the post
        delivery delivers(*this);
        // Through the erased executor a function costs a second allocation, from the heap. And one that
        // tracks work counts each of the copies that `post` makes of it.
        if constexpr (std::is_same_v<tracked_executor, asio::any_io_executor>)
            if (const auto* loop = executor.template target<tracked_loop_executor>())
                return asio::post(asio::require(*loop, asio::execution::outstanding_work.untracked),
                                  std::move(delivers));
        asio::post(executor, std::move(delivers));
    }

    void deliver() override {
        own_allocator memory(asio::get_associated_allocator(handler_, pool_allocator<void>()));
        Handler handler(std::move(handler_));
        std::tuple<Results...> results(std::move(results_));
        destroy(memory);
        std::apply([&handler](Results&... each) { std::move(handler)(std::move(each)...); }, results);
    }

    void discard() noexcept override {
        own_allocator memory(asio::get_associated_allocator(handler_, pool_allocator<void>()));
        destroy(memory);
    }

private:
    handler_completion(Handler&& handler, const asio::any_io_executor& clients)
        : handler_(std::move(handler)) {
        const auto& executor = asio::get_associated_executor(handler_, clients);
        if constexpr (is_erased)
            if (is_same_loop(executor, clients)) return;
        elsewhere_.reset(new elsewhere(asio::prefer(executor, asio::execution::outstanding_work.tracked)));
    }
    ~handler_completion() = default;
    void destroy(own_allocator& memory) noexcept {
        this->~handler_completion();
        std::allocator_traits<own_allocator>::deallocate(memory, this, 1);
    }

    /// The function that is posted.
    class delivery {
    public:
        using allocator_type = handler_completion::allocator_type;

        explicit delivery(handler_completion& c)
            : of_(&c), memory_(asio::get_associated_allocator(c.handler_, pool_allocator<void>())) {}
        allocator_type get_allocator() const noexcept { return memory_; }
        void operator()() { of_.release()->deliver(); }

    private:
        completion_pointer<handler_completion> of_;
        allocator_type memory_;
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

    using tracked_loop_executor = std::decay_t<decltype(asio::require(
        std::declval<loop_executor>(), asio::execution::outstanding_work.tracked))>;

    struct elsewhere : pooled {
        explicit elsewhere(tracked_executor e) : executor(std::move(e)) {}
        tracked_executor executor;
    };

    Handler handler_;
    std::unique_ptr<elsewhere> elsewhere_; ///< apart, so that most, which need none, take less memory
    std::tuple<Results...> results_;
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
    return handler_completion<Handler, Results...>::make(std::move(handler), clients);
}

} // namespace detail
} // namespace redlock
