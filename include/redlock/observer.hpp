#pragma once

#include <redlock/config.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/error.hpp>
#include <redlock/lease_kind.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace redlock {

/// What a grant lets its holder do.
struct granted_lease {
    lease_kind kind = lease_kind::exclusive;      ///< what he may do
    std::optional<unsigned> slot{};               ///< which of the permits it is
    std::optional<std::uint64_t> fencing_token{}; ///< as `lease::fencing_token`; of a leader the term
};

/// Told of what happens in a client. Derive, override what is of interest, and give it in `config::observer`.
///
/// All calls come one at a time from the client's strand, so they must return quickly and must not throw; the
/// views are valid during the call only. Keys are given without the prefix.
class observer {
public:
    virtual ~observer() = default;

    /// A lease was granted after `waited` since the call.
    virtual void granted(std::string_view /*key*/, std::chrono::nanoseconds /*waited*/) noexcept {}
    /// Right behind each `granted`: what it is.
    virtual void granted_as(std::string_view /*key*/, const granted_lease& /*what*/) noexcept {}
    /// An owner was given another lease on what it holds already. No `granted` comes of it, nor does
    /// `released` when that lease ends before the last one.
    virtual void entered_again(std::string_view /*key*/) noexcept {}
    /// A lease for writing has become one for reading.
    virtual void downgraded(std::string_view /*key*/) noexcept {}
    /// A leader's value stands on a majority of the nodes. Of the value in `async_campaign`, ahead of
    /// its completion; `granted` came before.
    virtual void proclaimed(std::string_view /*name*/, std::string_view /*value*/) noexcept {}
    /// A try was refused because somebody else holds the key, or failed for want of nodes.
    virtual void refused(std::string_view /*key*/, boost::system::error_code /*why*/) noexcept {}
    /// Somebody else holds the key, or others want it too: the call waits, and `granted` follows unless it is
    /// given up. Once for each call. A call that waits for another one of its owner enters what that is
    /// granted: `entered_again` follows.
    virtual void waiting(std::string_view /*key*/) noexcept {}
    /// A lease was passed on to the next caller of this client after it had been `held` for so long;
    /// `granted` follows when that one has taken it.
    virtual void handed_over(std::string_view /*key*/, std::chrono::nanoseconds /*held*/) noexcept {}
    /// A lease that had been `held` for so long was given back, by unlock or destruction.
    virtual void released(std::string_view /*key*/, std::chrono::nanoseconds /*held*/) noexcept {}
    /// A lease was renewed and is valid for `remaining` from now on.
    virtual void renewed(std::string_view /*key*/, std::chrono::nanoseconds /*remaining*/) noexcept {}
    /// A lease was lost; stop has been requested. `remaining` is what is left of its validity.
    virtual void lost(std::string_view /*key*/, std::chrono::nanoseconds /*remaining*/) noexcept {}
    /// A node was connected, and this is how it will tell waiting callers that a key became free.
    virtual void wakeup_changed(std::string_view /*node*/, wakeup /*found*/) noexcept {}
    /// A node that was connected is not fit to hold locks, although it takes them.
    virtual void node_warned(std::string_view /*node*/, std::string_view /*why*/) noexcept {}
    /// A node takes requests again, or stopped taking them; `why` names the node and the reason.
    virtual void node_changed(std::string_view /*node*/, bool /*ready*/, std::string_view /*why*/) noexcept {}
};

} // namespace redlock
