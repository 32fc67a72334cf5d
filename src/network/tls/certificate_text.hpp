#pragma once

#include "network/tls/openssl.hpp"

#include <string>

namespace redlock::network {

// What is said of a certificate that somebody showed: short, and printable, whatever there is in it.

/// Its names, the first few of them: `"a.example", "10.0.0.1"`, or `no name`.
std::string names_of(const X509& certificate);
/// Who signed it: `"/CN=Some Authority"`.
std::string issuer_of(const X509& certificate);
/// `Jan  1 00:00:00 2024 GMT`
std::string time_text(const ASN1_TIME& time);

} // namespace redlock::network
