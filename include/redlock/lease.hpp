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

    /// Which of several permits it is, from 0; 0 without `lock_options::permits`.
    unsigned slot() const noexcept;

    /// Stops when the lease is lost or its client closed, not by unlocking. Callbacks registered with it run
    /// on the client's strand and must not block.
    std::stop_token stop_token() const noexcept;

    /// Gives the key back: ends the renewal, then deletes the key on every node where it is still ours. With
    /// `lock_options::keep` it leaves the key there for what is left of that time.
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

    /// Makes a lease for writing one for reading, without a moment in which somebody else could write: others
    /// may read from then on, and who waits to read has his chance before who waits to write, but in etcd,
    /// which keeps all in the order of asking. It stays the same lease, with its stop source and its fencing
    /// token, which is below that of whoever writes next. There is no way back but to unlock and lock for
    /// writing.
    ///
    /// Completes with `void(error_code)`:
    /// - success: the lease is one for reading, renewed as such, and valid for its ttl from the asking on;
    ///   others may read once the nodes were told, a moment later;
    /// - `errc::invalid_option`: it was not taken for writing (`lock_options::mode`), is one for reading by
    ///   now, or is one of an owner's, whose others may rely on writing. Nothing has changed;
    /// - `errc::unsupported`: the engine has no such thing. Nothing has changed;
    /// - `errc::no_quorum`: too few nodes answered within `node_timeout`, or the common reason of those that
    ///   failed, as in `client::async_lock`. It is a lease for writing as before, with its former validity;
    /// - `errc::lease_lost`: it had been lost or unlocked before, or was while the nodes were asked, or a
    ///   majority of them no longer held the key;
    /// - `errc::closed`: the client closed;
    /// - `operation_aborted`: cancelled (terminal, partial or total). It is a lease for writing as before.
    ///
    /// Where it stays a lease for writing, or was lost, what the nodes may have noted of a reader is taken
    /// away again in the background, as an unlock would; until then, `node_timeout` at most where nodes
    /// answer, a renewal does not count a node that still has it.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_downgrade(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointer held) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_downgrade(held,
                                        detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                                detail::executor_of(held)),
                                        slot);
            },
            token, held_);
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
    friend class leadership;
    friend class lease_set;
    friend class primitive::set_call;
    explicit lease(detail::lease_pointer held) noexcept : held_(std::move(held)) {}
    void let_go() noexcept;

    detail::lease_pointer held_;
};

} // namespace redlock
