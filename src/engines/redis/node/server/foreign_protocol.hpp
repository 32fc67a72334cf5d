#pragma once

#include <string_view>

namespace redlock::node {

/// What a server whose first bytes are these does, where that is known and not to speak the Redis protocol;
/// null otherwise.
inline const char* foreign_protocol(std::string_view first) noexcept {
    if (first.starts_with("HTTP/")) return "answers in HTTP, not in the Redis protocol";
    // An alert (RFC 8446, 5.1): it took a command for the beginning of a handshake.
    if (first.starts_with("\x15\x03")) return "answers in TLS, which takes an address with rediss://";
    return nullptr;
}

} // namespace redlock::node
