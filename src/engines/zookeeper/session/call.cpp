#include "engines/zookeeper/session/call.hpp"

namespace redlock::zookeeper {

errc meaning_of(const reply& r) noexcept {
    if (r.what != reply::kind::refused) return r.why;
    switch (r.said) {
    case fault::forbidden:
    case fault::login_failed:
        return errc::permission_denied;
    case fault::takes_no_writes:
        return errc::read_only;
    case fault::malformed:
        return errc::protocol_error;
    case fault::timed_out:
        return errc::node_timeout;
    case fault::session_expired:
    case fault::session_moved:
        return errc::node_unavailable;
    default:
        return errc::protocol_error;
    }
}

} // namespace redlock::zookeeper
