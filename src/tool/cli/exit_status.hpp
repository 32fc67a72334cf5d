#pragma once

#include <boost/system/error_code.hpp>

namespace redlock::tool {

/// What the tool ends with. `run` and `local` end with the status of their command, so the tool keeps clear
/// of what shells (126, 127, 128 + n), sysexits.h (64 to 78, but for 64 itself), timeout(1) and xargs(1) (123
/// to 125) use.
enum exit_status : int {
    fine = 0,
    usage = 64,         ///< the command line, the environment or the configuration file is wrong
    held = 110,         ///< somebody else holds the key
    wait_timeout = 111, ///< --wait passed while somebody else held the key
    no_quorum = 112,    ///< too few nodes answered for a majority
    lease_lost = 113,   ///< the lock was lost while it was needed
    refused = 114,      ///< the nodes do not do what is asked: password, rights, certificate, memory, role
    failed = 115,       ///< the system refused something: no memory, no process, no file
    split = 116,        ///< some nodes hold the key, but no holder has a majority
    unfit = 117,        ///< the nodes are not fit to hold locks
    unchanged = 118,    ///< nothing was removed: it was not confirmed, or the key changed meanwhile
    no_leader = 119,    ///< nobody leads
    cannot_run = 126,   ///< the command was found, but cannot be run
    not_found = 127     ///< there is no such command
};

/// What a shell makes of a process that a signal ended.
constexpr int status_of_signal(int number) noexcept { return 128 + number; }

/// The status for an error of the library.
int status_of(const boost::system::error_code& error) noexcept;

/// One line of help for a status; nothing for those that have no name here.
const char* meaning_of(int status) noexcept;

} // namespace redlock::tool
