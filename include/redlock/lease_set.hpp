#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/lease.hpp>

#include <boost/asio/async_result.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stop_token>
#include <utility>
#include <vector>

namespace redlock {

/// Several locks that were granted together: all of them or none. In the order in which the keys were given,
/// a key that was named twice where it stood first.
///
/// Move-only, and as safe with threads as a `lease`. A default-made or moved-from set is empty: never valid,
/// its operations complete with `errc::lease_lost` like those of an empty lease. Destroying it releases every
/// key in the background.
class [[nodiscard]] lease_set {
public:
    /// An empty one.
    lease_set() noexcept = default;

    /// Whether this object stands for a grant, lost or not.
    explicit operator bool() const noexcept { return !leases_.empty(); }
    /// How many keys it has.
    std::size_t size() const noexcept { return leases_.size(); }

    /// Whether the right to every key can be relied on now.
    bool valid() const noexcept {
        return !leases_.empty() &&
               std::all_of(leases_.begin(), leases_.end(), [](const lease& l) { return l.valid(); });
    }
    /// How much longer `valid()` stays true without another renewal; 0 when it is false.
    std::chrono::nanoseconds remaining() const noexcept {
        auto shortest = std::chrono::nanoseconds(0);
        for (std::size_t i = 0; i < leases_.size(); ++i)
            shortest = i == 0 ? leases_[i].remaining() : std::min(shortest, leases_[i].remaining());
        return shortest;
    }
    /// Stops when the first of the leases is lost or the client closed, not by unlocking. Callbacks
    /// registered with it run on the client's strand and must not block. Of an empty set it never stops.
    std::stop_token stop_token() const noexcept {
        return leases_.empty() || stop_.stop_possible() ? stop_ : leases_.front().stop_token();
    }

    /// The lease of one key, with its fencing token. It may be extended, or unlocked before the others: the
    /// set is not `valid()` then. `index` is below `size()`.
    lease& operator[](std::size_t index) noexcept { return leases_[index]; }
    /// Likewise, to look at it.
    const lease& operator[](std::size_t index) const noexcept { return leases_[index]; }
    /// The first of the leases.
    auto begin() noexcept { return leases_.begin(); }
    /// Likewise, to look at it.
    auto begin() const noexcept { return leases_.begin(); }
    /// Behind the last of them.
    auto end() noexcept { return leases_.end(); }
    /// Likewise.
    auto end() const noexcept { return leases_.end(); }

    /// Gives all keys back, in one write.
    ///
    /// Completes with `void(error_code)` once all of them have come out: without error when all were ours
    /// until now, else with the error of the first in the order of the set, which is one of
    /// `lease::async_unlock`. `operation_aborted` when cancelled (terminal, partial or total): the releases
    /// go on in the background. No lease of the set is `valid()` from the call on.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_unlock(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointers held) {
                auto slot = detail::cancellation_slot_of(handler);
                const auto& clients = detail::executor_of(held);
                detail::start_unlock(
                    std::move(held),
                    detail::erase_handler<>(std::forward<decltype(handler)>(handler), clients), slot);
            },
            token, held());
    }

    /// Waits until one of the leases is lost. Completes with `void(error_code)`, as `lease::async_wait_lost`
    /// of the first lease that has something to say: that is `operation_aborted` when one was unlocked or
    /// destroyed, or the wait was cancelled (terminal, partial or total; the leases stay held).
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_wait_lost(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointers held) {
                auto slot = detail::cancellation_slot_of(handler);
                const auto& clients = detail::executor_of(held);
                detail::start_wait_lost(
                    std::move(held),
                    detail::erase_handler<>(std::forward<decltype(handler)>(handler), clients), slot);
            },
            token, held());
    }

private:
    friend class primitive::set_call;
    lease_set(std::vector<lease>&& leases, std::stop_token stop) noexcept
        : leases_(std::move(leases)), stop_(std::move(stop)) {}

    detail::lease_pointers held() const {
        detail::lease_pointers all;
        all.reserve(leases_.size());
        for (const lease& l : leases_)
            all.push_back(l.held_);
        return all;
    }

    std::vector<lease> leases_;
    std::stop_token stop_; ///< without a state where there is one lease, which has its own
};

} // namespace redlock
