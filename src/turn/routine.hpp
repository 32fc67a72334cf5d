#pragma once

#include <redlock/detail/pool.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace redlock::turn {

/// A coroutine inside the library. It runs on the client's strand only, is resumed by the events of the
/// operation that owns it, and is destroyed with it at whatever point it waits. Far lighter than a spawned
/// one of Asio: one allocation, no executor, no cancellation state; and it runs on virtual time as it is.
class [[nodiscard]] routine {
public:
    struct promise_type : detail::pooled {
        routine get_return_object() noexcept {
            return routine(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        // The bodies handle what can be handled; what is left is want of memory in the middle of a protocol
        // step.
        void unhandled_exception() noexcept { std::terminate(); }
    };

    routine() = default;
    routine(routine&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    routine& operator=(routine&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~routine() {
        if (handle_) handle_.destroy();
    }

    explicit operator bool() const noexcept { return handle_ != nullptr; }
    bool done() const noexcept { return handle_.done(); }
    void resume() const { handle_.resume(); }
    void* address() const noexcept { return handle_.address(); }

private:
    explicit routine(std::coroutine_handle<promise_type> handle) noexcept : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

} // namespace redlock::turn
