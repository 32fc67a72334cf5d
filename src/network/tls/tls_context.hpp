#pragma once

#include "network/tls/openssl.hpp"

#include <redlock/tls_options.hpp>

#include <memory>

namespace redlock::network {

/// What connections are made from: with what is in the files that are named, or the caller's own. Throws
/// std::system_error with `errc::invalid_option` and a text that names the field and the file.
std::shared_ptr<SSL_CTX> make_tls_context(const tls_options& options);

} // namespace redlock::network
