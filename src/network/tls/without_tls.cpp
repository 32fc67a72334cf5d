#include "network/transport/encryption.hpp"

#include <redlock/error.hpp>

#include <system_error>

// In the place of all other files of this folder, where there is no OpenSSL.

namespace redlock::network {

bool has_encryption() noexcept { return false; }

std::shared_ptr<encryption> make_encryption(const tls_options&, spoken) {
    throw std::system_error(errc::invalid_option, "this library is built without TLS");
}

} // namespace redlock::network
