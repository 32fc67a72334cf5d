#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/detail/with_lock.hpp>
#include <redlock/lease.hpp>

#include <boost/asio/async_result.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock {

/// Longest key in bytes, prefix included.
inline constexpr std::size_t max_key_size = 4096;

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
class client {
public:
    using executor_type = asio::any_io_executor; ///< any executor of Asio

    /// Checks the configuration and begins to connect.
    /// Throws `std::system_error` with `errc::invalid_uri`, `errc::duplicate_node` or `errc::invalid_option`;
    /// its text names the node or the field and the limit, and contains no password.
    client(executor_type executor, config settings)
        : core_(detail::open_client(std::move(executor), std::move(settings))) {}

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
    ///   of what stands beside a lock: ":redlock-fence" or ":redlock-queue";
    /// - `errc::invalid_option`: an option is outside the limits named in `lock_options`;
    /// - `errc::closed`: the client closed;
    /// - `operation_aborted`: cancelled. Whatever had been taken is released in the background.
    template <asio::completion_token_for<void(boost::system::error_code, lease)> Token = detail::awaited_t>
    [[nodiscard]] auto async_lock(std::string_view key, lock_options options = {}, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, lease)>(
            [](auto&& handler, detail::prepared_lock prepared) {
                auto slot = detail::cancellation_slot_of(handler);
                std::move(prepared).start(
                    detail::erase_handler<lease>(std::forward<decltype(handler)>(handler),
                                                 prepared.clients_executor()),
                    slot);
            },
            token, detail::prepared_lock(core_, key, options));
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
        return detail::with_lock<Body>(detail::prepared_lock(core_, key, options), std::move(body), token);
    }

    /// Asks every node who holds the key.
    ///
    /// Completes with `void(error_code, key_report)`; the error is `errc::invalid_key`, `errc::closed` or
    /// `operation_aborted`. A node that did not answer within `node_timeout` has its reason in the report.
    template <
        asio::completion_token_for<void(boost::system::error_code, key_report)> Token = detail::awaited_t>
    [[nodiscard]] auto async_inspect(std::string_view key, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, key_report)>(
            [](auto&& handler, detail::core_pointer core, std::string lock_key) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_inspect(
                    core, std::move(lock_key),
                    detail::erase_handler<key_report>(std::forward<decltype(handler)>(handler),
                                                      detail::executor_of(core)),
                    slot);
            },
            token, core_, std::string(key));
    }

    /// Takes a lock away from whoever holds it, for the hand of an operator: deletes the key on every node
    /// where it still has the value that `shown`, a report of `async_inspect`, has for that node. To a node
    /// that did not answer then goes the value of `key_report::holder`, if there is one. Where the key has
    /// another value by now nothing is deleted. Fences stay as they are, so a fencing token of the broken
    /// lease is lower than those of all leases after it.
    ///
    /// Waiting callers are told as after an unlock. The former holder is told nothing: it finds its lease
    /// lost at its next renewal, and at the end of its validity at the latest; until then two may believe
    /// that they hold the lock. Among callers of one client a lease without fencing is handed on with its
    /// value, so the holder may be another one by then.
    ///
    /// Completes with `void(error_code, break_report)`; a node that refused, or did not answer within
    /// `node_timeout`, has its reason in the report. The error is
    /// - `errc::invalid_key`: the key is none that this client can lock, or has not its prefix;
    /// - `errc::invalid_option`: the report is not one on the nodes of this client;
    /// - `errc::closed`, or `operation_aborted` when cancelled (terminal, partial or total).
    ///
    /// What was sent is carried out even when nobody waits for it any more, and a node that let the deadline
    /// pass may do so later; on a node that could not be reached the key stays until it runs out.
    template <
        asio::completion_token_for<void(boost::system::error_code, break_report)> Token = detail::awaited_t>
    [[nodiscard]] auto async_break(const key_report& shown, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, break_report)>(
            [](auto&& handler, detail::core_pointer core, key_report report) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_break(core, std::move(report),
                                    detail::erase_handler<break_report>(
                                        std::forward<decltype(handler)>(handler), detail::executor_of(core)),
                                    slot);
            },
            token, core_, shown);
    }

    /// Examines every node, whether it is fit to hold locks: over a connection of its own for each, so also
    /// those that this client refuses.
    ///
    /// Completes with `void(error_code, std::vector<node_examination>)`, in the order of `config::nodes`; the
    /// error is `errc::closed`, or `operation_aborted` when cancelled (terminal, partial or total). What a
    /// node does not tell, or the user may not ask, is empty in its examination. To each question a node has
    /// the longer of a second and `node_timeout` to answer, and is given up when it lets that pass. It takes
    /// some 15 round trips. Nothing is changed on the nodes and nothing is left behind; where the user lacks
    /// rights, the server's `ACL LOG` says that somebody tried.
    template <asio::completion_token_for<void(boost::system::error_code, std::vector<node_examination>)>
                  Token = detail::awaited_t>
    [[nodiscard]] auto async_examine(Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, std::vector<node_examination>)>(
            [](auto&& handler, detail::core_pointer core) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_examine(
                    core,
                    detail::erase_handler<std::vector<node_examination>>(
                        std::forward<decltype(handler)>(handler), detail::executor_of(core)),
                    slot);
            },
            token, core_);
    }

    /// Asks the nodes whether the lock is still held with this fencing token (Burrows, "The Chubby lock
    /// service", 2006, section 2.4: CheckSequencer). The answer is as old as a round trip: a resource that
    /// compares tokens by itself needs no such question.
    ///
    /// Completes with `void(error_code)`:
    /// - success: a majority of nodes holds the key with this token;
    /// - `errc::lease_lost`: a majority does not: it was unlocked, ran out, or is somebody else's;
    /// - `errc::no_quorum`: too few nodes answered within `node_timeout`, or the common reason of those that
    ///   failed, as in `async_lock`;
    /// - `errc::invalid_key`, `errc::closed`, or `operation_aborted` when cancelled (terminal, partial or
    ///   total). Nothing is written, so nothing is left behind.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_check(std::string_view key, std::uint64_t fencing_token,
                                   Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            [](auto&& handler, detail::core_pointer core, std::string lock_key, std::uint64_t number) {
                auto slot = detail::cancellation_slot_of(handler);
                detail::start_check(core, std::move(lock_key), number,
                                    detail::erase_handler<>(std::forward<decltype(handler)>(handler),
                                                            detail::executor_of(core)),
                                    slot);
            },
            token, core_, std::string(key), fencing_token);
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

    /// Counts and states at this instant. Thread-safe; takes a lock for as long as it copies.
    metrics_snapshot metrics() const { return detail::metrics_of(core_); }

private:
    detail::core_pointer core_;
};

} // namespace redlock
