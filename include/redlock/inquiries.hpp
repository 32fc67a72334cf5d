#pragma once

#include <redlock/detail/call_operation.hpp>
#include <redlock/detail/language.hpp>
#include <redlock/detail/operations.hpp>
#include <redlock/key_list.hpp>

#include <boost/asio/async_result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redlock {

/// What a `client` can be asked of keys and nodes by those who look after them. What is said of its members
/// there holds for these: from any thread, arguments copied, completed once, cancellation.
class inquiries {
public:
    /// Asks every node who holds the key, and who reads it. A permit has its own key, "KEY:0" and so on. One
    /// that an unlock left there (`lock_options::keep`) looks as if it were held.
    ///
    /// Completes with `void(error_code, key_report)`; the error is `errc::invalid_key`, `errc::closed` or
    /// `operation_aborted`. A node that did not answer within `node_timeout` has its reason in the report.
    template <
        asio::completion_token_for<void(boost::system::error_code, key_report)> Token = detail::awaited_t>
    [[nodiscard]] auto async_inspect(std::string_view key, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, key_report)>(
            detail::initiation<&detail::start_inspect, key_report>(), token, core_, std::string(key));
    }

    /// Finds the keys of locks that begin like this, to be shown to people: what is held or waited for on
    /// some node, by clients of this library, up to `most_listed_keys`.
    ///
    /// Completes with `void(error_code, key_list)`; the error is
    /// - `errc::permission_denied`, or another reason that the nodes have in common, or `errc::no_quorum`,
    ///   when none of them answered;
    /// - `errc::closed`, or `operation_aborted` when cancelled (terminal, partial or total).
    ///
    /// Redis nodes are asked to go through all the keys that they have (`SCAN`, `MGET`), a thousand with each
    /// command, and given up behind a million: on servers with many other keys this is dear. A cluster is one
    /// node, whose servers are asked one after another. A database reads its table of locks, a thousand rows
    /// with each statement, and knows what is held alone; a key of more than 2048 bytes, with the prefix, is
    /// not found there, for its row has a hash instead. An etcd cluster reads the names of its keys, a
    /// thousand with each request. Nothing is written, so nothing is left behind.
    template <asio::completion_token_for<void(boost::system::error_code, key_list)> Token = detail::awaited_t>
    [[nodiscard]] auto async_list(std::string_view beginning = {}, Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code, key_list)>(
            detail::initiation<&detail::start_list, key_list>(), token, core_, std::string(beginning));
    }

    /// Takes a lock away from whoever holds it, for the hand of an operator: deletes the key on every node
    /// where it still has the value that `shown`, a report of `async_inspect`, has for that node. To a node
    /// that did not answer then goes the value of `key_report::holder`, if there is one. Where the key has
    /// another value by now nothing is deleted. With it goes what its holder proclaimed as a leader. Fences
    /// stay, so a fencing token of the broken lease is lower than those of all leases after it. Those who
    /// read are removed likewise. Who waits for them to write loses his key, and asks for it as the last.
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
            detail::initiation<&detail::start_break, break_report>(), token, core_, shown);
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
            detail::initiation<&detail::start_examine, std::vector<node_examination>>(), token, core_);
    }

    /// Asks the nodes whether the lock is still held with this fencing token (Burrows, "The Chubby lock
    /// service", 2006, section 2.4: CheckSequencer). The answer is as old as a round trip: a resource that
    /// compares tokens by itself needs no such question. The token of one who reads is not known to the
    /// nodes.
    ///
    /// Completes with `void(error_code)`:
    /// - success: a majority of nodes holds the key with this token, or is its holder's and was not told yet;
    /// - `errc::lease_lost`: a majority does not: it was unlocked, ran out, or is somebody else's;
    /// - `errc::no_quorum`: too few nodes answered within `node_timeout`, or the common reason of those that
    ///   failed, as in `async_lock`;
    /// - `errc::invalid_key`, `errc::closed`, or `operation_aborted` when cancelled (terminal, partial or
    ///   total). Nothing is written, so nothing is left behind.
    template <asio::completion_token_for<void(boost::system::error_code)> Token = detail::awaited_t>
    [[nodiscard]] auto async_check(std::string_view key, std::uint64_t fencing_token,
                                   Token&& token = Token{}) {
        return asio::async_initiate<Token, void(detail::error_code)>(
            detail::initiation<&detail::start_check>(), token, core_, std::string(key), fencing_token);
    }

    /// Counts and states at this instant. Thread-safe; takes a lock for as long as it copies.
    metrics_snapshot metrics() const { return detail::metrics_of(core_); }

protected:
    /// Of a client.
    explicit inquiries(detail::core_pointer core) noexcept : core_(std::move(core)) {}
    ~inquiries() = default;
    inquiries(inquiries&&) noexcept = default;            ///< leaves the other empty
    inquiries& operator=(inquiries&&) noexcept = default; ///< likewise

    detail::core_pointer core_; ///< null once the client was moved from
};

} // namespace redlock
