#include "network/tls/tls_failure.hpp"

#include "core/printable.hpp"
#include "network/tls/certificate_text.hpp"

#include <redlock/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

namespace redlock::network {

namespace {

constexpr std::size_t longest_reason = 120;

std::string shown(const char* reason) {
    return reason ? core::printable(reason, longest_reason) : "no reason is known";
}

/// The chain as far as it was looked at, the peer's own certificate first; null when none was.
const STACK_OF(X509) * chain_of(const SSL& connection) noexcept {
    const STACK_OF(X509)* const chain = SSL_get0_verified_chain(&connection);
    return chain && sk_X509_num(chain) > 0 ? chain : nullptr;
}

/// The first one that is not valid now, by the given limit; null when there is none.
const X509* out_of_time(const STACK_OF(X509) * chain, bool by_its_end) noexcept {
    for (int i = 0; chain && i < sk_X509_num(chain); ++i) {
        const X509* const one = sk_X509_value(chain, i);
        const ASN1_TIME* const limit = by_its_end ? X509_get0_notAfter(one) : X509_get0_notBefore(one);
        const int compared = X509_cmp_current_time(limit);
        if (by_its_end ? compared < 0 : compared > 0) return one;
    }
    return nullptr;
}

std::string refused_certificate(const SSL& connection, const std::string& expected) {
    const STACK_OF(X509)* const chain = chain_of(connection);
    const X509* const own = chain ? sk_X509_value(chain, 0) : nullptr;
    const long result = SSL_get_verify_result(&connection);
    switch (result) {
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
        return fmt::format("has a certificate of an authority that is not trusted, {} "
                           "(config::tls.ca_file names those that are)",
                           own ? issuer_of(*own) : "unknown");
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
        return fmt::format("has a certificate for {}, not for \"{}\" (config::tls.server_name)",
                           own ? names_of(*own) : "another name", core::printable(expected, longest_reason));
    case X509_V_ERR_CERT_HAS_EXPIRED:
        if (const X509* const expired = out_of_time(chain, true))
            return fmt::format("has a certificate that expired on {}",
                               time_text(*X509_get0_notAfter(expired)));
        return "has a certificate that expired";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        if (const X509* const early = out_of_time(chain, false))
            return fmt::format("has a certificate that is not valid before {}",
                               time_text(*X509_get0_notBefore(early)));
        return "has a certificate that is not valid yet";
    default:
        return fmt::format("has a certificate that is refused: {}",
                           shown(X509_verify_cert_error_string(result)));
    }
}

/// Up to TLS 1.2 a server that goes without a certificate of ours says no more than that the handshake
/// failed. Whether it had asked for one is known.
bool had_none_to_show(SSL& connection) noexcept {
    const unsigned char* kinds = nullptr;
    return SSL_get0_certificate_types(&connection, &kinds) > 0 && !SSL_get_certificate(&connection);
}

std::string alert(SSL& connection, int number) {
    const std::string reason = shown(SSL_alert_desc_string_long(number));
    switch (number) {
    case SSL_AD_HANDSHAKE_FAILURE:
        if (!had_none_to_show(connection)) break;
        [[fallthrough]];
    case SSL_AD_CERTIFICATE_REQUIRED:
        return "wants a certificate of its clients, and none was given (config::tls.certificate_file)";
    case SSL_AD_BAD_CERTIFICATE:
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
    case SSL_AD_CERTIFICATE_REVOKED:
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_CERTIFICATE_UNKNOWN:
    case SSL_AD_UNKNOWN_CA:
    case SSL_AD_ACCESS_DENIED:
        return fmt::format("refused our certificate (config::tls.certificate_file): {}", reason);
    case SSL_AD_PROTOCOL_VERSION:
        return "speaks no version of TLS that this client speaks";
    default:
        break;
    }
    return fmt::format("refused the TLS connection: {}", reason);
}

} // namespace

obstacle tls_failure(SSL& connection, unsigned long error, const std::string& expected) {
    const int reason = ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
    constexpr int last_alert = SSL_AD_REASON_OFFSET + 255;
    if (reason >= SSL_AD_REASON_OFFSET && reason <= last_alert)
        return {errc::tls_failed, alert(connection, reason - SSL_AD_REASON_OFFSET)};
    switch (reason) {
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
        return {errc::tls_failed, refused_certificate(connection, expected)};
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_WRONG_SSL_VERSION:
        return {errc::tls_failed, "speaks no version of TLS that this client speaks"};
    default:
        return {errc::tls_failed,
                fmt::format("does not keep to TLS: {}", shown(ERR_reason_error_string(error)))};
    }
}

obstacle foreign_answer(unsigned char first, const spoken& within) {
    const bool plain = within.first_bytes.find(static_cast<char>(first)) != std::string_view::npos;
    return {errc::tls_failed, plain ? fmt::format("answers without TLS: it expects plain connections ({}://)",
                                                  within.plain_scheme)
                                    : std::string("does not speak TLS")};
}

} // namespace redlock::network
