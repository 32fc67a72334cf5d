#include "cli/exit_status.hpp"

#include <redlock/error.hpp>

namespace redlock::tool {

int status_of(const boost::system::error_code& error) noexcept {
    if (!error) return fine;
    if (error.category() != error_category()) return failed;
    switch (static_cast<errc>(error.value())) {
    case errc::held:
        return held;
    case errc::wait_timeout:
        return wait_timeout;
    case errc::no_quorum:
    case errc::node_timeout:
    case errc::node_unavailable:
    case errc::node_quarantined:
        return no_quorum;
    case errc::lease_lost:
        return lease_lost;
    case errc::invalid_key:
    case errc::invalid_option:
    case errc::invalid_uri:
    case errc::unsupported:
        return usage;
    case errc::closed:
        return failed;
    case errc::duplicate_node:
    case errc::authentication_failed:
    case errc::permission_denied:
    case errc::protocol_error:
    case errc::wrong_type:
    case errc::out_of_memory:
    case errc::read_only:
    case errc::server_error:
    case errc::tls_failed:
        return refused;
    }
    return failed;
}

const char* meaning_of(int status) noexcept {
    switch (status) {
    case fine:
        return "success";
    case usage:
        return "the command line, the environment or the configuration file is wrong";
    case held:
        return "somebody else holds the key";
    case wait_timeout:
        return "--wait passed while somebody else held the key";
    case no_quorum:
        return "too few nodes answered for a majority";
    case lease_lost:
        return "the lock was lost while it was needed";
    case refused:
        return "the nodes refuse what is asked of them: password, rights, certificate, memory, role";
    case failed:
        return "the system refused something, such as a process or a file";
    case split:
        return "some nodes hold the key, but no holder has a majority";
    case unfit:
        return "the nodes are not fit to hold locks";
    case unchanged:
        return "nothing was removed: not confirmed, or the key changed meanwhile";
    case no_leader:
        return "nobody leads";
    case cannot_run:
        return "the command was found, but cannot be run";
    case not_found:
        return "there is no such command";
    default:
        return "";
    }
}

} // namespace redlock::tool
