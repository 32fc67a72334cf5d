#pragma once

#include <redlock/detail/language.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <system_error>

namespace redlock {

/// Every error the library gives of its own. A cancelled operation gives
/// `boost::asio::error::operation_aborted` instead, so "the deadline passed", "the caller cancelled" and "the
/// client closed" are three different codes.
enum class errc {
    held = 1,     ///< somebody else holds the key and the call did not want to wait
    wait_timeout, ///< `lock_options::wait` passed while somebody else held the key
    no_quorum,    ///< too few nodes answered for a majority, whatever they would have said
    lease_lost,   ///< the lease is no longer ours, or can no longer be trusted
    closed,       ///< the client was closed or destroyed
    invalid_key,  ///< the key is empty, too long, or has an ending that is kept for what stands beside a lock
    invalid_option,        ///< an option is outside its limits
    invalid_uri,           ///< a node's address cannot be understood
    duplicate_node,        ///< the same server is listed twice
    authentication_failed, ///< a majority of nodes is out of reach because of a wrong user or password
    permission_denied,     ///< the user may not run a command the lock needs (ACL)
    protocol_error,        ///< the peer does not speak the Redis protocol, or broke it
    node_timeout,          ///< a node let the deadline of a command pass
    node_unavailable,      ///< a node is not connected
    node_quarantined,      ///< a node is up but must not vote yet
    wrong_type,            ///< the key holds something that is not a lock
    out_of_memory,         ///< a node refused to write: `maxmemory` is reached
    read_only,             ///< a node refused to write: it is a replica, or its disk is failing
    server_error,          ///< a node answered with an error that has no code of its own
    unsupported,           ///< the engine that `config::nodes` names cannot do this
    tls_failed ///< a node's certificate is refused, or ours by the node, or one of both speaks no TLS
};

/// The category of `errc`; its name is "redlock". Thread-safe.
const boost::system::error_category& error_category() noexcept;

/// Makes an error code of `error_category()`; found by argument-dependent look-up.
inline boost::system::error_code make_error_code(errc e) noexcept {
    return {static_cast<int>(e), error_category()};
}

} // namespace redlock

/// @cond
template <>
struct boost::system::is_error_code_enum<redlock::errc> : std::true_type {};

template <>
struct std::is_error_code_enum<redlock::errc> : std::true_type {};
/// @endcond
