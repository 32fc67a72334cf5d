#include "support/authority.hpp"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace redlock::test {

namespace {

void must(bool done, const char* what) {
    if (!done) throw std::runtime_error(what);
}

struct file_close {
    void operator()(std::FILE* f) const noexcept { std::fclose(f); }
};

std::unique_ptr<std::FILE, file_close> open(const std::string& path) {
    std::unique_ptr<std::FILE, file_close> file(std::fopen(path.c_str(), "w"));
    must(file != nullptr, "fopen");
    return file;
}

void extend(X509& certificate, int kind, const std::string& value) {
    X509_EXTENSION* const e = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    must(e != nullptr, "X509V3_EXT_conf_nid");
    X509_add_ext(&certificate, e, -1);
    X509_EXTENSION_free(e);
}

} // namespace

authority::authority(const std::string& name) : key_(EVP_EC_gen("P-256")) {
    certificate_ = make(*key_, {.names = "", .common_name = name});
    file_ = write("authority.pem", *certificate_);
}

authority::owned<X509> authority::make(EVP_PKEY& key, const certificate_request& wanted) const {
    owned<X509> made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), signed_ + 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), wanted.valid_from.count());
    X509_gmtime_adj(X509_getm_notAfter(made.get()), wanted.valid_until.count());
    X509_set_pubkey(made.get(), &key);
    X509_NAME* const subject = X509_get_subject_name(made.get());
    if (!wanted.common_name.empty())
        X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(wanted.common_name.data()),
                                   static_cast<int>(wanted.common_name.size()), -1, 0);
    X509_set_issuer_name(made.get(), certificate_ ? X509_get_subject_name(certificate_.get()) : subject);
    if (!certificate_) extend(*made, NID_basic_constraints, "critical,CA:TRUE");
    if (!wanted.names.empty()) extend(*made, NID_subject_alt_name, wanted.names);
    must(X509_sign(made.get(), key_.get(), EVP_sha256()) > 0, "X509_sign");
    return made;
}

certificate_files authority::sign(const certificate_request& wanted) {
    const owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
    const owned<X509> made = make(*key, wanted);
    const std::string number = std::to_string(++signed_);
    return {write(number + ".pem", *made), write(number + ".key", *key)};
}

std::string authority::write(const std::string& name, const X509& certificate) const {
    must(PEM_write_X509(open(path(name)).get(), &certificate) == 1, "PEM_write_X509");
    return path(name);
}

std::string authority::write(const std::string& name, const EVP_PKEY& key) const {
    must(PEM_write_PrivateKey(open(path(name)).get(), &key, nullptr, nullptr, 0, nullptr, nullptr) == 1,
         "PEM_write_PrivateKey");
    return path(name);
}

std::string authority::protect(const std::string& key_file, const std::string& password) const {
    const std::unique_ptr<std::FILE, file_close> in(std::fopen(key_file.c_str(), "r"));
    must(in != nullptr, "fopen");
    const owned<EVP_PKEY> key(PEM_read_PrivateKey(in.get(), nullptr, nullptr, nullptr));
    must(PEM_write_PKCS8PrivateKey(open(path("protected.key")).get(), key.get(), EVP_aes_128_cbc(),
                                   password.data(), static_cast<int>(password.size()), nullptr, nullptr) == 1,
         "PEM_write_PKCS8PrivateKey");
    return path("protected.key");
}

std::string authority::write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name)) << content;
    return path(name);
}

authority& trusted_authority() {
    static authority one;
    return one;
}

} // namespace redlock::test
