#include "tls/tls_peer.hpp"

#include <openssl/err.h>

#include <array>
#include <stdexcept>

namespace redlock::test {

namespace {

void require_done(bool done, const char* what) {
    if (!done) throw std::runtime_error(what);
}

} // namespace

std::shared_ptr<SSL_CTX> make_server_context(const tls_server_options& options) {
    std::shared_ptr<SSL_CTX> made(SSL_CTX_new(TLS_server_method()), network::openssl_free());
    SSL_CTX_set_min_proto_version(made.get(), options.version);
    SSL_CTX_set_max_proto_version(made.get(), options.version);
    require_done(SSL_CTX_use_certificate_chain_file(made.get(), options.own.certificate.c_str()) == 1,
                 "certificate");
    require_done(SSL_CTX_use_PrivateKey_file(made.get(), options.own.key.c_str(), SSL_FILETYPE_PEM) == 1,
                 "key");
    constexpr unsigned char id[] = "test";
    SSL_CTX_set_session_id_context(made.get(), id, sizeof id);
    if (!options.client_authority.empty()) {
        require_done(SSL_CTX_load_verify_file(made.get(), options.client_authority.c_str()) == 1,
                     "authority");
        SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    return made;
}

tls_peer::tls_peer(SSL_CTX& context) : ssl_(SSL_new(&context)) {
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl_.get());
}

void tls_peer::receive(std::string_view ciphertext) {
    BIO_write(SSL_get_rbio(ssl_.get()), ciphertext.data(), static_cast<int>(ciphertext.size()));
    go_on();
}

void tls_peer::go_on() {
    std::array<char, 4096> plain{};
    std::size_t n = 0;
    int result = 0;
    while ((result = SSL_read_ex(ssl_.get(), plain.data(), plain.size(), &n)) == 1)
        heard_.append(plain.data(), n);
    failed_ = failed_ || SSL_get_error(ssl_.get(), result) == SSL_ERROR_SSL;
    ERR_clear_error();
}

std::string tls_peer::outgoing() {
    std::string all(BIO_ctrl_pending(SSL_get_wbio(ssl_.get())), '\0');
    if (!all.empty()) BIO_read(SSL_get_wbio(ssl_.get()), all.data(), static_cast<int>(all.size()));
    return all;
}

std::string tls_peer::name_asked_for() const {
    const char* const name = SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name);
    return name ? name : "";
}

void tls_peer::say(std::string_view plaintext) {
    require_done(SSL_write(ssl_.get(), plaintext.data(), static_cast<int>(plaintext.size())) > 0,
                 "SSL_write");
}

void tls_peer::say_goodbye() { SSL_shutdown(ssl_.get()); }

void tls_peer::ask_for_new_keys() {
    require_done(SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED) == 1, "SSL_key_update");
    require_done(SSL_do_handshake(ssl_.get()) == 1, "SSL_do_handshake");
}

void tls_peer::ask_for_new_handshake() {
    require_done(SSL_renegotiate(ssl_.get()) == 1, "SSL_renegotiate");
    require_done(SSL_do_handshake(ssl_.get()) == 1, "SSL_do_handshake");
}

} // namespace redlock::test
