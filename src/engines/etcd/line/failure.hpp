#pragma once

#include <redlock/error.hpp>

#include <cstdint>
#include <string>

namespace redlock::etcd {

/// What a server says of a call: the numbers of gRPC.
enum class status_code : std::uint8_t {
    ok = 0,
    cancelled = 1,
    unknown = 2,
    invalid_argument = 3,
    deadline_exceeded = 4,
    not_found = 5, ///< such as a lease that has run out
    already_exists = 6,
    permission_denied = 7,
    resource_exhausted = 8, ///< such as a full database
    failed_precondition = 9,
    aborted = 10,
    out_of_range = 11, ///< such as a revision that was compacted
    unimplemented = 12,
    internal = 13,
    unavailable = 14,
    data_loss = 15,
    unauthenticated = 16
};

/// Why there is no answer.
struct failure {
    errc why = errc::node_unavailable;
    /// It may have been done all the same: it was sent, and nobody knows what became of it.
    bool in_doubt = false;
    /// What the server said; `ok` where it said nothing, and the connection or the time was at fault.
    status_code status = status_code::ok;
    /// Continues the name of the endpoint. Printable and short; without anybody's password.
    std::string text{};
};

} // namespace redlock::etcd
