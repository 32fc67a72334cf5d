#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/lease.hpp>

#include <boost/asio/async_result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace redlock {

/// The lease of whoever leads, granted by `client::async_campaign`, with a value that observers are told. As
/// a lease it is `valid()` while nobody else can lead, stop is requested when it is lost, and to unlock or
/// destroy it is to resign: observers hear of that at once. One that is lost is told of until its key has run
/// out on the nodes, or another leads.
///
/// Moving a `leadership` into a `lease` leaves the right to lead in that, and nothing here. As safe with
/// threads as a lease.
class [[nodiscard]] leadership : public lease {
public:
    /// An empty one.
    leadership() noexcept = default;

    /// Grows from leader to leader: the fencing token of the lease, for the protected resource to compare. 0
    /// of an empty one.
    std::uint64_t term() const noexcept { return fencing_token().value_or(0); }

    /// Tells observers this value in the place of the one before, of up to `max_leader_value_size` bytes.
    ///
    /// Completes with `void(error_code)`: success once a majority of the nodes has it, or one that was
    /// proclaimed behind it; `errc::lease_lost` when the lease is over; `errc::invalid_option` when it is too
    /// long; `errc::closed`; `errc::no_quorum`, or the reason that all missing nodes have in common as in
    /// `client::async_lock`, when too few answered: observers may be told the value nevertheless, and it is
    /// proclaimed again with each renewal of the lease. `operation_aborted` when cancelled (terminal, partial
    /// or total), with the same to say of the value. The lease stays held in any case.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_proclaim(std::string_view value, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::lease_pointer held, std::string new_value) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_proclaim(held, std::move(new_value),
                                       detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                               detail::executor_of(held)),
                                       slot);
            },
            token, held_, std::string(value));
    }

private:
    friend class primitive::campaign_call;
    explicit leadership(detail::lease_pointer held) noexcept : lease(std::move(held)) {}
};

} // namespace redlock
