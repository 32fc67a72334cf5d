#pragma once

#include "network/tls/openssl.hpp"
#include "network/tls/tls_session.hpp"
#include "network/transport/encryption.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace redlock::network {

/// TLS with OpenSSL. Of each server it keeps what shortens the handshake of the next connection.
class tls_encryption final : public encryption, public std::enable_shared_from_this<tls_encryption> {
public:
    /// As `make_encryption`.
    tls_encryption(const tls_options& options, spoken within);

    std::shared_ptr<stream> cover(const io_source::strand& on, std::shared_ptr<stream> bare,
                                  const destination& to) override;

private:
    using server = std::pair<std::string, std::uint16_t>;

    void keep(const server& of, openssl_pointer<SSL_SESSION> resumable);
    openssl_pointer<SSL_SESSION> take(const server& of);

    const std::shared_ptr<SSL_CTX> context_;
    const std::string server_name_;
    const bool verify_;
    const spoken within_;
    std::map<server, openssl_pointer<SSL_SESSION>> resumable_;
};

} // namespace redlock::network
