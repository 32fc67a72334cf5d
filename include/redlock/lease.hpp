#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>

#include <boost/asio/async_result.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace redlock {

/// A lock that was granted: the right to a key for a limited time, kept alive by renewal until it is
/// unlocked.
///
/// Move-only. Ownership is the object, never the thread. The const members may be called from any thread at
/// any time; the object itself, like any value, must not be moved or destroyed while another thread uses it.
/// An operation that was started goes on when the lease object is moved or destroyed. A default-made or
/// moved-from lease is empty: never valid, its operations complete with `errc::lease_lost`, on the handler's
/// associated executor. A handler without one is called on `asio::system_executor` then, a thread of Asio's
/// own, since there is no client whose executor could stand in. So is one of a lease whose client's context
/// was destroyed; the error is `errc::closed` then.
///
/// Without a token an operation is put off like with `asio::deferred`; a coroutine that awaits it is thrown
/// what `with_diagnostics` describes.
///
/// In a child that was forked the copy of a lease is not valid, from the fork on; to destroy it there does
/// nothing to the parent's (see `client`).
class [[nodiscard]] lease {
public:
    lease() noexcept = default;
    lease(lease&&) noexcept = default; ///< leaves the other lease empty
    /// Likewise; what this lease was before is released in the background.
    lease& operator=(lease&& other) noexcept {
        lease moved(std::move(other));
        held_.swap(moved.held_);
        return *this;
    }
    /// Releases the key in the background when it was not unlocked; the ttl is the backstop. Never blocks.
    ~lease() {
        if (held_) let_go();
    }

    /// Whether this object stands for a grant, lost or not.
    explicit operator bool() const noexcept { return held_ != nullptr; }

    /// Whether the right to the key can be relied on now, by the local clock (CLOCK_BOOTTIME) less the drift
    /// allowance.
    bool valid() const noexcept;

    /// How much longer `valid()` stays true without another renewal; 0 when it is false.
    std::chrono::nanoseconds remaining() const noexcept;

    /// The key as it was given, without the prefix. Refers into the lease: valid until it is destroyed.
    std::string_view key() const noexcept;

    /// The number to hand to the protected resource; nothing without `lock_options::fencing`.
    std::optional<std::uint64_t> fencing_token() const noexcept;

    /// Stops when the lease is lost or its client closed, not by unlocking. Callbacks registered with it run
    /// on the client's strand and must not block.
    std::stop_token stop_token() const noexcept;

    /// Gives the key back: ends the renewal, then deletes the key on every node where it is still ours.
    ///
    /// Completes with `void(error_code)`:
    /// - success: a majority of nodes answered, and the key was ours until now;
    /// - `errc::lease_lost`: the lease had been lost before, or a majority of nodes no longer held the key;
    /// - `errc::no_quorum`: too few nodes answered within `node_timeout`. Nodes that come back are told again
    /// while the
    ///   key could still be there; the ttl is the backstop;
    /// - `errc::closed`: the client closed before (which released the key);
    /// - `operation_aborted`: cancelled (terminal, partial or total). The release goes on in the background.
    /// The lease is not `valid()` from the call on. A second call completes with `errc::lease_lost`.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_unlock(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointer held) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_unlock(held,
                                     detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                             detail::executor_of(held)),
                                     slot);
            },
            token, held_);
    }

    /// Renews now, with a new ttl that later renewals keep (limits as `lock_options::ttl`).
    ///
    /// Completes with `void(error_code)`: success once a majority confirmed it; `errc::lease_lost`;
    /// `errc::no_quorum` when too few nodes answered (the lease keeps its former validity, and renewal goes
    /// on trying); `errc::invalid_option`; `errc::closed`; `operation_aborted` when cancelled (terminal,
    /// partial or total): the extension may or may not have taken place, and the lease stays held.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_extend(std::chrono::milliseconds ttl, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointer held, std::chrono::milliseconds new_ttl) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_extend(held, new_ttl,
                                     detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                             detail::executor_of(held)),
                                     slot);
            },
            token, held_, ttl);
    }

    /// Waits until the lease is lost.
    ///
    /// Completes with `void(error_code)`: success when the lease was lost (at once when it already is);
    /// `operation_aborted` when it was unlocked or destroyed instead, or the wait was cancelled (terminal,
    /// partial or total; the lease stays held); `errc::closed` when the client closed.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_wait_lost(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointer held) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_wait_lost(held,
                                        detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                                detail::executor_of(held)),
                                        slot);
            },
            token, held_);
    }

private:
    friend class lock::lock_call;
    explicit lease(detail::lease_pointer held) noexcept : held_(std::move(held)) {}
    void let_go() noexcept;

    detail::lease_pointer held_;
};

} // namespace redlock
