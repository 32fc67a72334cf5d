#pragma once

#include "network/tls/openssl.hpp"
#include "network/transport/encryption.hpp"
#include "network/transport/stream.hpp"

#include <string>

namespace redlock::network {

/// Says why a connection failed, of which OpenSSL reports this error. `expected` is the name that the peer's
/// certificate has to be for. Whatever it quotes of the peer is short and printable.
obstacle tls_failure(SSL& connection, unsigned long error, const std::string& expected);

/// The same of a peer whose first byte cannot be the beginning of anything in TLS.
obstacle foreign_answer(unsigned char first, const spoken& within);

} // namespace redlock::network
