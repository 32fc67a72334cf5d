#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <new>

namespace redlock::network {

/// Frees what OpenSSL has made.
struct openssl_free {
    void operator()(SSL* p) const noexcept { SSL_free(p); }
    void operator()(SSL_CTX* p) const noexcept { SSL_CTX_free(p); }
    void operator()(SSL_SESSION* p) const noexcept { SSL_SESSION_free(p); }
    void operator()(BIO* p) const noexcept { BIO_free(p); }
    void operator()(BIO_METHOD* p) const noexcept { BIO_meth_free(p); }
    void operator()(X509* p) const noexcept { X509_free(p); }
    void operator()(ASN1_OCTET_STRING* p) const noexcept { ASN1_OCTET_STRING_free(p); }
};

template <class T>
using openssl_pointer = std::unique_ptr<T, openssl_free>;

/// For what OpenSSL refuses for want of memory alone.
inline void require_made(bool made) {
    if (made) return;
    ERR_clear_error();
    throw std::bad_alloc();
}

} // namespace redlock::network
