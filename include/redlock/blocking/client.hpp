#pragma once

#include <redlock/blocking/lease.hpp>
#include <redlock/config.hpp>
#include <redlock/error.hpp>
#include <redlock/lock_options.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string_view>

namespace redlock::blocking {

namespace detail {
class loop;
}

/// Takes locks for threads that wait: `redlock::client` with a thread of its own, for programs without a loop
/// of Asio. All members may be called from any thread, many at a time.
///
/// Errors are thrown as `boost::system::system_error`, whose `what()` names the key, and each node that
/// failed with its reason, or the option and its limit. Calls must not be made by the client's own thread;
/// see `lease`.
///
/// A client belongs to the process that made it. In a child that was forked, calls give `errc::closed` and
/// leases are not valid; what is destroyed there leaves the parent's keys alone.
class client {
public:
    /// Checks the configuration, starts the thread and begins to connect. Throws `std::system_error` with
    /// `errc::invalid_uri`, `errc::duplicate_node` or `errc::invalid_option`, or because there is no thread.
    explicit client(config settings);
    client(client&&) noexcept;            ///< leaves the other without use: its calls give `errc::closed`
    client& operator=(client&&) noexcept; ///< likewise; what this client was before is closed
    /// Releases all leases and ends the thread; what other threads have under way gives `errc::closed`. Waits
    /// until the nodes were told, for `config::node_timeout` at most, or what far nodes are given.
    ~client();

    /// Takes the lock, waiting for other holders up to `options.wait`. Throws what
    /// `redlock::client::async_lock` gives, such as `errc::wait_timeout` or `errc::no_quorum`; the error is
    /// `errc::closed` when the client is destroyed meanwhile.
    lease lock(std::string_view key, lock_options options = {});

    /// The same, given up when stop is requested: throws `boost::asio::error::operation_aborted`
    /// (`std::errc::operation_canceled`) then, and whatever was taken is released.
    lease lock(std::string_view key, std::stop_token stop, lock_options options = {});

    /// Takes the lock if it is free now; the lease is empty where somebody else holds the key. Throws what
    /// else there is.
    lease try_lock(std::string_view key, lock_options options = {});

    /// Takes the lock if it can be had within this time; the lease is empty otherwise. Throws what else there
    /// is.
    lease try_lock_for(std::string_view key, std::chrono::milliseconds wait, lock_options options = {});

private:
    lease take(std::string_view key, const lock_options& options, const std::stop_token& stop,
               bool empty_when_held);

    std::shared_ptr<detail::loop> loop_;
};

} // namespace redlock::blocking
