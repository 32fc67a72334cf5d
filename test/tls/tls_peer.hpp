#pragma once

#include "network/tls/openssl.hpp"
#include "support/authority.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace redlock::test {

/// What a server with TLS is like.
struct tls_server_options {
    certificate_files own;
    int version = TLS1_3_VERSION;   ///< the only one that it speaks
    std::string client_authority{}; ///< it wants certificates of its clients, signed by that one
};

/// The context of a server, which several connections share, as resumption takes.
std::shared_ptr<SSL_CTX> make_server_context(const tls_server_options& options);

/// The server's end of one connection, in memory.
class tls_peer {
public:
    explicit tls_peer(SSL_CTX& context);

    /// Takes ciphertext from the client in, and goes on as far as that takes it.
    void receive(std::string_view ciphertext);
    /// Ciphertext for the client since the last call.
    std::string outgoing();
    /// Plaintext from the client since the last call.
    std::string heard() { return std::exchange(heard_, {}); }

    bool shook_hands() const noexcept { return SSL_is_init_finished(ssl_.get()) == 1; }
    bool was_resumed() const noexcept { return SSL_session_reused(ssl_.get()) == 1; }
    /// Whether the client said that it sends nothing more.
    bool heard_goodbye() const noexcept {
        return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }
    /// The name that the client asked for; empty for none.
    std::string name_asked_for() const;
    bool has_failed() const noexcept { return failed_; }

    void say(std::string_view plaintext);
    void say_goodbye();
    /// Has the client answer something that is not seen in the plaintext.
    void ask_for_new_keys();
    /// Has the client begin the handshake anew, which only versions before TLS 1.3 know.
    void ask_for_new_handshake();

private:
    void go_on();

    network::openssl_pointer<SSL> ssl_;
    std::string heard_;
    bool failed_ = false;
};

} // namespace redlock::test
