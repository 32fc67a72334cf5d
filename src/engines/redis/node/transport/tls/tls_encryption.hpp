#pragma once

#include "engines/redis/node/transport/encryption.hpp"
#include "engines/redis/node/transport/tls/openssl.hpp"
#include "engines/redis/node/transport/tls/tls_session.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace redlock::node {

/// TLS with OpenSSL. Of each server it keeps what shortens the handshake of the next connection.
class tls_encryption final : public encryption, public std::enable_shared_from_this<tls_encryption> {
public:
    /// As `make_encryption`.
    explicit tls_encryption(const tls_options& options);

    std::shared_ptr<stream> cover(const io_source::strand& on, std::shared_ptr<stream> bare,
                                  const address& to) override;

private:
    using server = std::pair<std::string, std::uint16_t>;

    void keep(const server& of, openssl_pointer<SSL_SESSION> resumable);
    openssl_pointer<SSL_SESSION> take(const server& of);

    const std::shared_ptr<SSL_CTX> context_;
    const std::string server_name_;
    const bool verify_;
    std::map<server, openssl_pointer<SSL_SESSION>> resumable_;
};

} // namespace redlock::node
