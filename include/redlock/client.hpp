#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/detail/with_lock.hpp>
#include <redlock/inquiries.hpp>
#include <redlock/leader_info.hpp>
#include <redlock/leadership.hpp>
#include <redlock/lease.hpp>
#include <redlock/lease_set.hpp>

#include <boost/asio/async_result.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock {

/// Longest key in bytes, prefix included.
inline constexpr std::size_t max_key_size = 4096;
/// Most keys of one `client::async_lock_all`.
inline constexpr std::size_t max_set_size = 256;

/// Takes locks on a set of independent Redis masters.
///
/// The client connects in the background: locks can be asked for at once. All members may be called from any
/// thread. Its own work runs on one strand of the executor it was given, and keeps that executor's context
/// busy until the client is closed or destroyed. A server whose handlers may hold that executor for long
/// gives the client a thread of its own (`boost::asio::thread_pool{1}`), so that renewal goes on meanwhile.
///
/// Every asynchronous member copies its arguments at the call, completes exactly once, never from inside the
/// initiating call, on the handler's associated executor (else the client's), and honours terminal, partial
/// and total cancellation through the handler's cancellation slot, which may be emitted from any thread. It
/// may outlive the client. Without a token it is put off like with `asio::deferred`, to be awaited or started
/// later; a coroutine that awaits it is thrown what `with_diagnostics` describes. In a process with one
/// thread a loop (`io_context`) that is the executor of both calls handlers that are ready at the same time
/// in a row, as a strand does: `stop` and `run_one` take effect behind them, and one of them must not wait
/// for another.
///
/// When the context of the executor is destroyed, handlers of what is under way are destroyed without a call.
/// Keys are left to their ttl; leases are not renewed any more, and nobody requests stop for them. A client
/// that outlives the context is like one that was closed: calls on it and on its leases complete with
/// `errc::closed`, `async_close` without error, on the handler's associated executor, else on
/// `asio::system_executor`.
///
/// A client belongs to the process that made it. In a child that was forked its copy is inert: leases are not
/// valid and stop is requested for them, calls, also those under way, complete with `errc::closed`, nothing
/// is sent, and whatever is destroyed there closes the child's descriptors and leaves keys and connections to
/// the parent. A child that runs the context tells it first,
/// `context.notify_fork(asio::io_context::fork_child)`, as Asio demands: without that the two take each
/// other's events until the client in the child has its turn and tells the context itself, and some of the
/// parent's replies are late. A child may make a client of its own.
class client : public inquiries {
public:
    using executor_type = asio::any_io_executor; ///< any executor of Asio

    /// Checks the configuration and begins to connect.
    /// Throws `std::system_error` with `errc::invalid_uri`, `errc::duplicate_node` or `errc::invalid_option`;
    /// its text names the node or the field and the limit, and contains no password.
    client(executor_type executor, config settings)
        : inquiries(detail::open_client(std::move(executor), std::move(settings))) {}

    /// Takes over another client with all that it has under way. The other one is empty from then on: its
    /// calls complete with `errc::closed`, `async_close` without error, on the handler's associated executor,
    /// else on `asio::system_executor`, which is a thread of Asio's own; it has no metrics.
    client(client&&) noexcept = default;
    /// Likewise; what this client was before is closed in the background.
    client& operator=(client&& other) noexcept {
        if (this != &other) {
            detail::close_client(core_);
            core_ = std::move(other.core_);
        }
        return *this;
    }

    /// Closes like `async_close`, in the background while the executor's context runs.
    ~client() { detail::close_client(core_); }

    /// The executor that the client was given; `asio::system_executor` for one that was moved from, or whose
    /// executor's context was destroyed.
    executor_type get_executor() const { return detail::executor_of(core_); }

    /// Takes the lock, waiting for other holders up to `options.wait`.
    ///
    /// Completes with `void(error_code, lease)`; the lease is empty unless there is no error:
    /// - `errc::held`: somebody else holds the key, and `wait` is 0;
    /// - `errc::wait_timeout`: `wait` passed;
    /// - `errc::no_quorum`: too few nodes answered for a majority; not waited out, but by callers who wait
    ///   for another holder: they wait on while nodes are away. When all nodes that are missing for the
    ///   majority have one and the same reason, that reason is given instead:
    ///   `errc::authentication_failed`, `errc::permission_denied`, `errc::protocol_error`,
    ///   `errc::wrong_type`, `errc::out_of_memory`, `errc::read_only`, `errc::node_quarantined`,
    ///   `errc::duplicate_node`, `errc::server_error` or `errc::tls_failed`;
    /// - `errc::invalid_key`: empty, longer than `max_key_size` with the prefix, or with an ending
    ///   of what stands beside a lock: ":redlock-fence", ":redlock-queue", ":redlock-readers" or
    ///   ":redlock-leader";
    /// - `errc::invalid_option`: an option is outside the limits named in `lock_options`;
    /// - `errc::unsupported`: `options.mode` is not exclusive, and the engine knows no other;
    /// - `errc::lease_lost`: `options.owner` has lost the key, and not unlocked all leases of it since;
    /// - `errc::closed`: the client closed;
    /// - `operation_aborted`: cancelled. Whatever had been taken is released in the background.
    template <asio::completion_token_for<void(boost::system::error_code, lease)> Token = detail::awaited_t>
    [[nodiscard]] auto async_lock(std::string_view key, lock_options options = {}, Token&& token = Token{}) {
        return detail::start_prepared(detail::prepared_lock(core_, key, options), token);
    }

    /// `async_lock` with `options.wait` taken as 0: one attempt, `errc::held` when somebody else holds the
    /// key.
    template <asio::completion_token_for<void(boost::system::error_code, lease)> Token = detail::awaited_t>
    [[nodiscard]] auto async_try_lock(std::string_view key, lock_options options = {},
                                      Token&& token = Token{}) {
        options.wait = std::chrono::milliseconds(0);
        return async_lock(key, options, std::forward<Token>(token));
    }

    /// Runs `body(lease&)`, a function that returns `asio::awaitable<T>`, under the lock.
    ///
    /// The body runs on a strand of the handler's executor. When the lease is lost, the body's pending
    /// operation is cancelled (terminal), and once the body has ended the whole completes with
    /// `errc::lease_lost`. The lock is released on every way out, then the body's exception goes on.
    /// Completes with `void(std::exception_ptr)` or `void(std::exception_ptr, T)`; T is default-constructible
    /// or moved. The exception is the body's own, or a `boost::system::system_error` with an error of
    /// `async_lock` or `errc::lease_lost`, with diagnostics. Cancelling cancels the wait for the lock or the
    /// body's pending operation. The default token is `asio::deferred` for void and `asio::use_awaitable` for
    /// other T.
    template <class Body, class Token = detail::with_lock_token<Body>>
    [[nodiscard]] auto async_with_lock(std::string_view key, lock_options options, Body body,
                                       Token&& token = Token{}) {
        return detail::with_lock(detail::prepared_lock(core_, key, options), std::move(body), token);
    }

    /// Takes several locks, all of them or none: in one round trip when all are free, else waiting up to
    /// `options.wait` altogether. Two calls that want some of the same keys in any order never wait for each
    /// other: keys are waited for in one order, and what stands behind the one that is waited for is given
    /// back meanwhile.
    ///
    /// Completes with `void(error_code, lease_set)`; the set is empty unless there is no error. `options` go
    /// for each of the keys, `options.stop` for all of them. The errors are those of `async_lock` for the
    /// first key that could not be had, but
    /// - `errc::invalid_key`: also when there is no key, or there are more than `max_set_size`;
    /// - `errc::invalid_option`: also when `permits` is not 1, with an `owner`, or to read.
    /// Cancellation is that of `async_lock`: whatever had been taken is released in the background.
    ///
    /// g++ 12 compiles no list in braces inside of a `co_await` expression: give the keys a name before.
    template <
        asio::completion_token_for<void(boost::system::error_code, lease_set)> Token = detail::awaited_t>
    [[nodiscard]] auto async_lock_all(std::vector<std::string> keys, lock_options options = {},
                                      Token&& token = Token{}) {
        return detail::start_prepared(detail::prepared_set(core_, std::move(keys), options), token);
    }

    /// Runs `body(lease_set&)` under several locks: `async_lock_all` is to this as `async_lock` is to
    /// `async_with_lock` for one key. It ends like that when the first of the leases is lost.
    template <class Body, class Token = detail::with_lock_token<Body, lease_set>>
    [[nodiscard]] auto async_with_lock(std::vector<std::string> keys, lock_options options, Body body,
                                       Token&& token = Token{}) {
        return detail::with_lock(detail::prepared_set(core_, std::move(keys), options), std::move(body),
                                 token);
    }

    /// Campaigns for the right to lead `name`, waiting for other leaders up to `options.wait`, and proclaims
    /// `value`, of up to `max_leader_value_size` bytes of any kind, to those who observe.
    ///
    /// Completes with `void(error_code, leadership)`, empty after an error. The right to lead is the lock of
    /// that key with a fencing token, which is the term; the value stands beside the key, under its name and
    /// ":redlock-leader", on a majority before this completes, and is renewed with it; in etcd under
    /// PREFIX-leader/, with the lease of the key; in ZooKeeper in a node `leader` in the folder of the key,
    /// of the same session. The errors are those of `async_lock`, but
    /// - `errc::invalid_option`: also when the value is too long, or with an `owner`, with `permits`, a
    ///   `mode` or `keep`. `fencing` need not be set;
    /// - `errc::unsupported`: the engine has no leaders, as databases and the double lock have none;
    /// - `errc::permission_denied`, or another reason that all missing nodes have in common, also when nodes
    ///   do not take the value, which needs scripts; with `wait` 0 `errc::no_quorum` when it does not come to
    ///   stand on a majority at once.
    /// Cancellation is that of `async_lock`: neither key nor value is left behind, also after an error.
    template <
        asio::completion_token_for<void(boost::system::error_code, leadership)> Token = detail::awaited_t>
    [[nodiscard]] auto async_campaign(std::string_view name, std::string_view value,
                                      lock_options options = {}, Token&& token = Token{}) {
        return detail::start_prepared(detail::prepared_campaign(core_, name, value, options), token);
    }

    /// Waits until who leads `name` differs from what is `known`: the mark of the last that was told, or one
    /// made by default, which knows nothing and is told at once who leads, or that nobody does.
    ///
    /// Completes with `void(error_code, leader_info)`. Whoever gives each mark to the next call is told terms
    /// that never fall, nor versions in a term, whatever nodes have forgotten. A value that is replaced
    /// quickly may never be told. A majority of the nodes has to answer; while none does, this waits. Without
    /// a majority that tells of changes to keys, all nodes are asked four times a second; etcd and ZooKeeper
    /// tell of them. What is told is as old as a round trip, and a lost leader is told of until its key has
    /// run out: only its lease, and a resource that compares terms, know whether one leads. The error is
    /// - `errc::invalid_key`: as for `async_lock`; `errc::unsupported`: the engine has no leaders;
    /// - `errc::permission_denied`, or another reason that waiting does not cure, where all nodes that are
    ///   missing for a majority have it, as in `async_lock`;
    /// - `errc::closed`, or `operation_aborted` when cancelled (any type). Nothing is left behind.
    template <
        asio::completion_token_for<void(boost::system::error_code, leader_info)> Token = detail::awaited_t>
    [[nodiscard]] auto async_observe(std::string_view name, leader_mark known = {}, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, leader_info)>(
            detail::initiation<&detail::start_observe, leader_info>(), token, core_, std::string(name),
            known);
    }

    /// Ends everything: acquires under way complete with `errc::closed`, leases are told to stop and
    /// released, then the connections close. Completes with `void(error_code)`, always without error, when
    /// nothing of the client runs any more: at most about two `node_timeout` later. Not cancellable. May be
    /// called more than once.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_close(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::core_pointer core) {
                detail::start_close(core, detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                                  detail::executor_of(core)));
            },
            token, core_);
    }
};

} // namespace redlock
