#include "network/tls/tls_session.hpp"

#include "network/tls/tls_failure.hpp"

#include <fmt/format.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <string>
#include <utility>

namespace redlock::network {

namespace {

constexpr std::size_t longest_plaintext = 16'384; // of a record

/// Of others: those of this thread's calls count for whichever call asks what went wrong. To look whether
/// there are any is quick.
void forget_errors() noexcept {
    if (ERR_peek_error() != 0) ERR_clear_error();
}

bool is_address(const std::string& name) noexcept {
    const openssl_pointer<ASN1_OCTET_STRING> parsed(a2i_IPADDRESS(name.c_str()));
    ERR_clear_error();
    return parsed != nullptr;
}

obstacle closed_early() { return {errc::node_unavailable, "closed the connection during the TLS handshake"}; }

} // namespace

tls_session::tls_session(SSL_CTX& context, peer expected, SSL_SESSION* resumed)
    : expected_(std::move(expected)), ssl_(SSL_new(&context)) {
    require_made(ssl_ != nullptr);
    BIO* const bio = bytes_.make_bio().release();
    SSL_set_bio(ssl_.get(), bio, bio);
    SSL_set_connect_state(ssl_.get());
    SSL_set_mode(ssl_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_set_options(ssl_.get(), SSL_OP_NO_RENEGOTIATION);
    SSL_set_read_ahead(ssl_.get(), 0);
    expect(expected_);
    // One that cannot be used any more costs a whole handshake, and nothing else.
    if (resumed) SSL_set_session(ssl_.get(), resumed);
    if (!expected_.speaks.name.empty()) offer(expected_.speaks);
    failure_ = obstacle{errc::node_unavailable,
                        fmt::format("has sent nothing in TLS: it may expect plain connections ({}://)",
                                    expected_.speaks.plain_scheme)};
}

// A session that was not ended in order is taken for a bad one by whoever frees it.
tls_session::~tls_session() { SSL_set_shutdown(ssl_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN); }

void tls_session::expect(const peer& who) {
    const bool numeric = is_address(who.name);
    // Which is what SSL_set_tlsext_host_name is made of, and a cast that compilers warn of.
    if (!numeric)
        require_made(SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                              const_cast<char*>(who.name.c_str())) == 1);
    if (!who.verify) return SSL_set_verify(ssl_.get(), SSL_VERIFY_NONE, nullptr);
    SSL_set_verify(ssl_.get(), SSL_get_verify_mode(ssl_.get()) | SSL_VERIFY_PEER,
                   SSL_get_verify_callback(ssl_.get()));
    SSL_set_hostflags(ssl_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    X509_VERIFY_PARAM* const rules = SSL_get0_param(ssl_.get());
    require_made((numeric ? X509_VERIFY_PARAM_set1_ip_asc(rules, who.name.c_str())
                          : X509_VERIFY_PARAM_set1_host(rules, who.name.data(), who.name.size())) == 1);
}

// A list of names, each behind its length (RFC 7301, 3.1).
void tls_session::offer(const spoken& within) {
    std::string list(1, static_cast<char>(within.name.size()));
    list += within.name;
    require_made(SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(list.data()),
                                     static_cast<unsigned>(list.size())) == 0);
}

void tls_session::arrived(std::size_t n) noexcept {
    records_.pass({bytes_.room().data(), n});
    bytes_.arrived(n);
}

void tls_session::input_ended() {
    if (failed_ || ended_) return;
    if (!complete_)
        fail(closed_early());
    else if (records_.missing() > 0)
        fail({errc::node_unavailable, "closed the connection in the middle of a TLS record"});
}

tls_session::progress tls_session::shake_hands() {
    if (failed_) return progress::failed;
    if (records_.begun())
        failure_ = obstacle{errc::node_unavailable, "has not completed the handshake of TLS"};
    forget_errors();
    const progress made = judge(SSL_do_handshake(ssl_.get()));
    if (made != progress::complete) return made;
    complete_ = true;
    failure_.reset();
    return made;
}

tls_session::progress tls_session::read(std::span<char> space, std::size_t& n) {
    n = 0;
    if (failed_) return progress::failed;
    if (ended_) return progress::ended;
    progress made = progress::complete;
    while (made == progress::complete && n < space.size()) {
        // Where nothing is left, OpenSSL takes as long to say so as for a short reply.
        if (!bytes_.has_unread() && SSL_has_pending(ssl_.get()) == 0) {
            made = progress::wants_input;
            break;
        }
        std::size_t some = 0;
        forget_errors();
        made = judge(SSL_read_ex(ssl_.get(), space.data() + n, space.size() - n, &some));
        n += some;
    }
    return n > 0 ? progress::complete : made;
}

std::size_t tls_session::write(std::string_view plaintext) noexcept {
    std::size_t taken = 0;
    while (taken < plaintext.size() && !failed_ && bytes_.takes_record()) {
        const std::size_t size = std::min(plaintext.size() - taken, longest_plaintext);
        std::size_t some = 0;
        if (SSL_write_ex(ssl_.get(), plaintext.data() + taken, size, &some) != 1) {
            ERR_clear_error();
            failed_ = true; // without a word: there may be no memory for it
        }
        taken += some;
    }
    return taken;
}

void tls_session::say_goodbye() noexcept {
    if (!complete_ || failed_ || !outgoing().empty()) return;
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
}

tls_session::progress tls_session::judge(int result) {
    if (result == 1) return progress::complete;
    switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
        return progress::wants_input;
    case SSL_ERROR_WANT_WRITE:
        if (!complete_) return progress::wants_room;
        return fail({errc::tls_failed, "asks for answers in TLS that it does not read"});
    case SSL_ERROR_ZERO_RETURN:
        if (!complete_) return fail(closed_early());
        ended_ = true;
        return progress::ended;
    default:
        const unsigned long error = ERR_peek_last_error();
        ERR_clear_error();
        return fail(records_.is_foreign() ? foreign_answer(records_.first(), expected_.speaks)
                                          : tls_failure(*ssl_, error, expected_.name));
    }
}

tls_session::progress tls_session::fail(obstacle why) {
    failed_ = true;
    failure_ = std::move(why);
    return progress::failed;
}

bool tls_session::was_resumed() const noexcept { return SSL_session_reused(ssl_.get()) == 1; }

openssl_pointer<SSL_SESSION> tls_session::resumable() const noexcept {
    openssl_pointer<SSL_SESSION> session(SSL_get1_session(ssl_.get()));
    if (session && SSL_SESSION_is_resumable(session.get()) != 1) session.reset();
    return session;
}

} // namespace redlock::network
