#pragma once

#include "support/temporary_folder.hpp"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace redlock::test {

/// Files in PEM.
struct certificate_files {
    std::string certificate;
    std::string key;
};

/// What a certificate says. Validity is counted from now.
struct certificate_request {
    std::string names = "DNS:localhost,IP:127.0.0.1"; ///< as in `subjectAltName`; empty for none
    std::string common_name = "redis";
    std::chrono::seconds valid_from = -std::chrono::hours(1);
    std::chrono::seconds valid_until = std::chrono::hours(24);
};

/// Signs certificates with elliptic keys, into a temporary folder.
class authority {
public:
    explicit authority(const std::string& name = "Test Authority");

    /// Its own certificate.
    const std::string& file() const noexcept { return file_; }
    certificate_files sign(const certificate_request& wanted = {});
    /// A copy of a key that takes a password to read. Returns its path.
    std::string protect(const std::string& key_file, const std::string& password) const;
    /// A file of this folder.
    std::string path(const std::string& name) const { return folder_.path() / name; }
    /// Writes it, and returns its path.
    std::string write(const std::string& name, const std::string& content) const;

private:
    struct release {
        void operator()(EVP_PKEY* p) const noexcept { EVP_PKEY_free(p); }
        void operator()(X509* p) const noexcept { X509_free(p); }
    };
    template <class T>
    using owned = std::unique_ptr<T, release>;

    owned<X509> make(EVP_PKEY& key, const certificate_request& wanted) const;
    std::string write(const std::string& name, const X509& certificate) const;
    std::string write(const std::string& name, const EVP_PKEY& key) const;

    temporary_folder folder_;
    const owned<EVP_PKEY> key_;
    owned<X509> certificate_; ///< null while it is being made
    std::string file_;
    int signed_ = 0;
};

/// One that all tests of a process share, for they do nothing to it.
authority& trusted_authority();

} // namespace redlock::test
