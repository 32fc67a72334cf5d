#include "network/tls/certificate_text.hpp"

#include "core/printable.hpp"

#include <fmt/format.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

namespace redlock::network {

namespace {

constexpr int most_names = 4;
constexpr std::size_t longest_shown_name = 80;

std::string quoted(std::string_view text) {
    return fmt::format("\"{}\"", core::printable(text, longest_shown_name));
}

std::string_view bytes_of(const ASN1_STRING& s) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(&s)),
            static_cast<std::size_t>(ASN1_STRING_length(&s))};
}

/// Nothing when it is neither of a host nor of an address.
std::string shown_name(const GENERAL_NAME& name) {
    if (name.type == GEN_DNS) return quoted(bytes_of(*name.d.dNSName));
    if (name.type != GEN_IPADD) return {};
    const std::string_view bytes = bytes_of(*name.d.iPAddress);
    const auto at = [bytes](std::size_t i) { return unsigned{static_cast<unsigned char>(bytes[i])}; };
    if (bytes.size() == 4) return fmt::format("\"{}.{}.{}.{}\"", at(0), at(1), at(2), at(3));
    if (bytes.size() != 16) return {};
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 2)
        text += fmt::format("{}{:x}", i == 0 ? "" : ":", at(i) << 8 | at(i + 1));
    return quoted(text);
}

std::string common_name_of(const X509& certificate) {
    std::array<char, longest_shown_name + 1> text{};
    const int size = X509_NAME_get_text_by_NID(X509_get_subject_name(&certificate), NID_commonName,
                                               text.data(), static_cast<int>(text.size()));
    return size > 0 ? quoted({text.data(), static_cast<std::size_t>(size)}) : std::string();
}

struct names_free {
    void operator()(GENERAL_NAMES* p) const noexcept { GENERAL_NAMES_free(p); }
};

} // namespace

std::string names_of(const X509& certificate) {
    const std::unique_ptr<GENERAL_NAMES, names_free> names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
    std::string all;
    int shown = 0;
    for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
        const std::string one = shown_name(*sk_GENERAL_NAME_value(names.get(), i));
        if (one.empty()) continue;
        if (++shown > most_names) return all + ", ...";
        all += (all.empty() ? "" : ", ") + one;
    }
    if (all.empty()) all = common_name_of(certificate);
    return all.empty() ? "no name" : all;
}

std::string issuer_of(const X509& certificate) {
    std::array<char, longest_shown_name * 2> text{};
    X509_NAME_oneline(X509_get_issuer_name(&certificate), text.data(), static_cast<int>(text.size()));
    return fmt::format("\"{}\"", core::printable(text.data(), text.size()));
}

std::string time_text(const ASN1_TIME& time) {
    const openssl_pointer<BIO> bio(BIO_new(BIO_s_mem()));
    std::array<char, 40> text{};
    if (!bio || ASN1_TIME_print(bio.get(), &time) != 1) return "an unknown time";
    const int size = BIO_read(bio.get(), text.data(), static_cast<int>(text.size()));
    return core::printable({text.data(), static_cast<std::size_t>(size > 0 ? size : 0)}, text.size());
}

} // namespace redlock::network
