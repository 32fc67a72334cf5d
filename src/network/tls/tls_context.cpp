#include "network/tls/tls_context.hpp"

#include "core/printable.hpp"

#include <redlock/error.hpp>

#include <boost/asio/ssl/context.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace redlock::network {

namespace {

constexpr std::size_t longest_shown_path = 200;
constexpr std::size_t longest_server_name = 253; // RFC 1035, without the length bytes

[[noreturn]] void refuse(std::string_view field, const std::string& what) {
    ERR_clear_error();
    throw std::system_error(errc::invalid_option, fmt::format("config::tls.{} {}", field, what));
}

[[noreturn]] void refuse_file(std::string_view field, const std::string& file, std::string_view what) {
    refuse(field, fmt::format("\"{}\" {}", core::printable(file, longest_shown_path), what));
}

/// Why a file is no good: what the system says of it, or else that it is not what was expected.
[[noreturn]] void refuse_unread(std::string_view field, const std::string& file, std::string_view expected) {
    const unsigned long error = ERR_peek_error();
    if (!ERR_SYSTEM_ERROR(error)) refuse_file(field, file, fmt::format("holds no {} in PEM", expected));
    const std::string reason = std::system_category().message(ERR_GET_REASON(error));
    refuse_file(field, file, fmt::format("cannot be read: {}", reason));
}

void trust(SSL_CTX& context, const tls_options& options) {
    if (options.ca_file.empty() && options.ca_path.empty())
        return require_made(SSL_CTX_set_default_verify_paths(&context) == 1);
    if (!options.ca_file.empty() && SSL_CTX_load_verify_file(&context, options.ca_file.c_str()) != 1)
        refuse_unread("ca_file", options.ca_file, "certificate");
    if (options.ca_path.empty()) return;
    std::error_code unknown;
    if (!std::filesystem::is_directory(options.ca_path, unknown))
        refuse_file("ca_path", options.ca_path, "is no folder");
    require_made(SSL_CTX_load_verify_dir(&context, options.ca_path.c_str()) == 1);
}

/// In place of asking on the terminal.
int give_no_password(char*, int, int, void* was_asked) noexcept {
    *static_cast<bool*>(was_asked) = true;
    return -1;
}

void present(SSL_CTX& context, const tls_options& options) {
    const std::string& certificate = options.certificate_file;
    const std::string& key = options.key_file;
    if (certificate.empty() && key.empty()) return;
    if (certificate.empty()) refuse("certificate_file", "must be set where config::tls.key_file is");
    if (key.empty()) refuse("key_file", "must be set where config::tls.certificate_file is");
    bool was_asked = false;
    SSL_CTX_set_default_passwd_cb(&context, give_no_password);
    SSL_CTX_set_default_passwd_cb_userdata(&context, &was_asked);
    if (SSL_CTX_use_certificate_chain_file(&context, certificate.c_str()) != 1)
        refuse_unread("certificate_file", certificate, "certificate");
    ERR_clear_error();
    if (SSL_CTX_use_PrivateKey_file(&context, key.c_str(), SSL_FILETYPE_PEM) != 1) {
        if (was_asked) refuse_file("key_file", key, "is protected by a password");
        const unsigned long error = ERR_peek_last_error();
        if (ERR_GET_LIB(error) == ERR_LIB_X509)
            refuse_file("key_file", key, "does not belong to config::tls.certificate_file");
        refuse_unread("key_file", key, "private key");
    }
    SSL_CTX_set_default_passwd_cb_userdata(&context, nullptr);
}

std::shared_ptr<SSL_CTX> callers_own(const tls_options& options) {
    for (const auto& [field, value] : {std::pair("ca_file", &options.ca_file),
                                       {"ca_path", &options.ca_path},
                                       {"certificate_file", &options.certificate_file},
                                       {"key_file", &options.key_file}})
        if (!value->empty()) refuse(field, "has no meaning beside config::tls.context");
    return {options.context, options.context->native_handle()};
}

void check_name(const std::string& name) {
    const auto printable = [](char c) { return c > ' ' && c <= '~'; };
    if (name.size() > longest_server_name || !std::ranges::all_of(name, printable))
        refuse("server_name", fmt::format("must be at most {} printable ASCII characters without blanks",
                                          longest_server_name));
}

} // namespace

std::shared_ptr<SSL_CTX> make_tls_context(const tls_options& options) {
    check_name(options.server_name);
    if (options.context) return callers_own(options);
    ERR_clear_error();
    std::shared_ptr<SSL_CTX> made(SSL_CTX_new(TLS_client_method()), openssl_free());
    require_made(made != nullptr);
    require_made(SSL_CTX_set_min_proto_version(made.get(), TLS1_2_VERSION) == 1);
    trust(*made, options);
    present(*made, options);
    return made;
}

} // namespace redlock::network
