#include "engines/sql/mariadb/session/address.hpp"

#include "core/printable.hpp"

#include <redlock/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace redlock::mariadb {

namespace {

constexpr std::size_t most_places = 16;
constexpr std::size_t longest_name = 200;
constexpr std::size_t longest_parameter = 40;

constexpr std::array<std::pair<std::string_view, tls_mode>, 4> modes{
    {{"disabled", tls_mode::disabled},
     {"required", tls_mode::required},
     {"verify_ca", tls_mode::verify_ca},
     {"verify_identity", tls_mode::verify_identity}}};

[[noreturn]] void refuse(const std::string& why) { throw std::system_error(errc::invalid_uri, why); }

[[noreturn]] void refuse_form() {
    refuse("it is no mysql://[user[:password]@]host[:port][,…]/database[?parameter=value]");
}

int digit_of(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
            if (high < 0 || low < 0) refuse("two hexadecimal digits stand behind each %");
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') refuse("no part of it has a zero byte");
        plain += c;
    }
    return plain;
}

/// What stands before the mark, which is taken away with it; the whole, and nothing is left, without one.
std::string_view take_until(std::string_view& text, char mark) {
    const std::size_t at = text.find(mark);
    const std::string_view before = text.substr(0, at);
    text = at == text.npos ? std::string_view() : text.substr(at + 1);
    return before;
}

bool is_port(std::string_view text) {
    std::uint16_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && behind == end && number > 0;
}

address::place place_in(std::string_view text) {
    std::string_view host = text, port = "3306";
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == text.npos) refuse("an IPv6 address ends with ]");
        host = text.substr(1, end - 1);
        text.remove_prefix(end + 1);
        if (!text.empty() && text.front() != ':') refuse("a port stands behind ] and :");
        if (!text.empty()) port = text.substr(1);
    } else if (const std::size_t colon = text.find(':'); colon != text.npos) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
    }
    if (!is_port(port)) refuse("a port is a number from 1 to 65535");
    return {.host = host.empty() ? "localhost" : decoded(host), .port = std::string(port)};
}

void take_parameter(address& to, std::string_view text, std::string& socket) {
    const std::string_view name = take_until(text, '=');
    const std::string value = decoded(text);
    if (name == "socket") {
        if (!value.starts_with('/')) refuse("its parameter socket is a path that begins with /");
        socket = value;
    } else if (name == "ssl-ca") {
        to.authorities = value;
    } else if (name == "ssl-cert") {
        to.certificate = value;
    } else if (name == "ssl-key") {
        to.key = value;
    } else if (name == "ssl-mode") {
        std::string small = value;
        std::ranges::transform(small, small.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
        const auto* const found =
            std::ranges::find(modes, small, &std::pair<std::string_view, tls_mode>::first);
        if (found == modes.end())
            refuse("its parameter ssl-mode is disabled, required, verify_ca or verify_identity");
        to.tls = found->second;
    } else {
        refuse(
            fmt::format("it has a parameter {}, which there is not: socket, ssl-mode, ssl-ca, ssl-cert and "
                        "ssl-key are taken",
                        core::printable(name, longest_parameter)));
    }
}

void take_parameters(address& to, std::string_view text) {
    std::string socket;
    bool has_mode = false;
    while (!text.empty()) {
        const std::string_view each = take_until(text, '&');
        has_mode |= each.starts_with("ssl-mode=");
        take_parameter(to, each, socket);
    }
    // Whoever says whom to trust wants to know whom he talks to.
    if (!has_mode && !to.authorities.empty()) to.tls = tls_mode::verify_identity;
    if (to.tls >= tls_mode::verify_ca && to.authorities.empty())
        refuse("ssl-ca must name those whose signature is trusted, for ssl-mode verifies it");
    if (to.certificate.empty() != to.key.empty()) refuse("ssl-cert and ssl-key go together");
    if (!to.certificate.empty() && to.tls == tls_mode::disabled)
        refuse("ssl-cert is of no use without ssl-mode");
    if (!socket.empty()) to.places = {{.host = socket, .port = "0"}};
}

std::string name_of(const address& a) {
    std::string hosts;
    for (const address::place& p : a.places) {
        const bool has_colons = p.host.find(':') != p.host.npos;
        hosts += hosts.empty() ? "" : ",";
        hosts += p.is_path() ? p.host
                             : fmt::format(fmt::runtime(has_colons ? "[{}]:{}" : "{}:{}"), p.host, p.port);
    }
    return core::printable(fmt::format("mysql://{}/{}", hosts, a.database), longest_name);
}

} // namespace

address parse_address(const std::string& uri) {
    std::string_view text = uri;
    const std::size_t scheme_end = text.find("://");
    if (scheme_end == text.npos) refuse_form();
    text.remove_prefix(scheme_end + 3);
    address found;
    // A slash or a question mark of the password must be encoded.
    const std::size_t at = text.substr(0, text.find_first_of("/?")).rfind('@');
    if (at != text.npos) {
        std::string_view login = text.substr(0, at);
        text.remove_prefix(at + 1);
        found.user = decoded(take_until(login, ':'));
        found.password = decoded(login);
    }
    const std::size_t query_at = text.find('?');
    const std::string_view query = query_at == text.npos ? "" : text.substr(query_at + 1);
    text = text.substr(0, query_at);
    const std::size_t slash = text.find('/');
    if (slash == text.npos) refuse_form();
    found.database = decoded(text.substr(slash + 1));
    if (found.database.empty()) refuse("it must name the database in which the table of locks is");
    std::string_view hosts = text.substr(0, slash);
    do {
        found.places.push_back(place_in(take_until(hosts, ',')));
    } while (!hosts.empty());
    if (found.places.size() > most_places)
        refuse(fmt::format("it names {} hosts, more than {}", found.places.size(), most_places));
    take_parameters(found, query);
    found.name = name_of(found);
    return found;
}

} // namespace redlock::mariadb
