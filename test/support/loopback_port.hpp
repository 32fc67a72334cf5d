#pragma once

#include <cstdint>

namespace redlock::test {

/// A TCP port of 127.0.0.1 that nobody listens on, chosen at random below the range the kernel takes local
/// ports from. Inside that range a client that connects to a server which is down could be given the server's
/// own port and end up connected to itself. The port is not reserved: whoever listens on it tries another
/// when that fails. Throws `std::system_error` when there is none.
std::uint16_t free_loopback_port();

} // namespace redlock::test
