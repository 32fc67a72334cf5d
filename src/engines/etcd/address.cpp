#include "engines/etcd/address.hpp"

#include <redlock/error.hpp>

#include <boost/url/encode.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/rfc/pchars.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace redlock::etcd {
namespace {

namespace urls = boost::urls;

constexpr std::size_t longest_address = std::size_t{16} * 1024;
constexpr std::size_t longest_host_name = 253; // RFC 1035, without the length bytes
constexpr std::size_t longest_login_word = 1024;

[[noreturn]] void refuse_address(errc code, const std::string& sentence) {
    throw std::system_error(code, "etcd address: " + sentence);
}

void refuse_address_if(bool wrong, const std::string& sentence) {
    if (wrong) refuse_address(errc::invalid_uri, sentence);
}

/// The text of the URI, taken apart where a list of hosts keeps Boost.URL from doing it.
struct address_parts {
    bool is_encrypted;
    std::string_view login; ///< with the @ that ends it, or empty
    std::string_view hosts;
    std::string_view path; ///< with the slash that begins it, or empty
};

address_parts take_apart(std::string_view uri) {
    address_parts found{.is_encrypted = uri.starts_with("etcds://"), .login = {}, .hosts = {}, .path = {}};
    refuse_address_if(!found.is_encrypted && !uri.starts_with("etcd://"),
                      "it begins with neither etcd:// nor etcds://");
    uri.remove_prefix(uri.find("//") + 2);
    found.hosts = uri.substr(0, uri.find_first_of("/?#"));
    found.path = uri.substr(found.hosts.size());
    if (const auto at = found.hosts.rfind('@'); at != found.hosts.npos) {
        found.login = found.hosts.substr(0, at + 1);
        found.hosts.remove_prefix(at + 1);
    }
    return found;
}

/// One host is a URI that Boost.URL understands, and so is the login or the path beside a host.
urls::url_view understood(std::string_view uri, const std::string& otherwise) {
    const auto parts = urls::parse_uri({uri.data(), uri.size()});
    // Boost.URL 1.81 takes what it does not understand behind a host for a path that begins without a slash.
    const bool path_without_slash =
        parts && !parts->encoded_path().empty() && !parts->encoded_path().starts_with('/');
    refuse_address_if(!parts || path_without_slash, otherwise);
    return *parts;
}

std::string login_word(std::string decoded, const char* part) {
    refuse_address_if(decoded.find('\0') != decoded.npos, fmt::format("the {} contains a NUL byte", part));
    refuse_address_if(decoded.size() > longest_login_word,
                      fmt::format("the {} has more than {} bytes", part, longest_login_word));
    return decoded;
}

void read_login(std::string_view login, address& to) {
    const std::string uri = fmt::format("etcd://{}host", login);
    const auto parts = understood(uri, "in user and password, reserved characters must be percent-encoded");
    to.user = login_word(parts.user(), "user");
    to.password = login_word(parts.password(), "password");
    refuse_address_if(to.user.empty() && !to.password.empty(), "it has a password but no user");
}

void check_host_name(std::string_view host) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '.' || c == '_';
    };
    refuse_address_if(!std::ranges::all_of(host, allowed),
                      "a host may have letters, digits, dots, hyphens and underscores only");
    refuse_address_if(host.size() > longest_host_name,
                      fmt::format("a host has more than {} bytes", longest_host_name));
}

std::uint16_t port_number(std::string_view digits) {
    std::uint16_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, value);
    refuse_address_if(error != std::errc{} || behind != end || value == 0,
                      "a port is not a number from 1 to 65535");
    return value;
}

endpoint endpoint_in(std::string_view text) {
    refuse_address_if(text.empty(), "a host is missing");
    const std::string uri = fmt::format("etcd://{}", text);
    const auto parts = understood(
        uri, "a host is not one; its port must be a number, and an IPv6 address must stand in brackets");
    refuse_address_if(parts.encoded_host().empty(), "a host is missing");
    endpoint found;
    if (parts.host_type() == urls::host_type::ipv6) {
        found.host = parts.host_ipv6_address().to_string();
    } else {
        found.host = parts.host();
        check_host_name(found.host);
    }
    if (parts.has_port()) found.port = port_number({parts.port().data(), parts.port().size()});
    return found;
}

bool same_endpoint(const endpoint& a, const endpoint& b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
    return a.port == b.port && std::ranges::equal(a.host, b.host, {}, lower, lower);
}

void read_hosts(std::string_view list, address& to) {
    for (;;) {
        const auto comma = list.find(',');
        endpoint next = endpoint_in(list.substr(0, comma));
        const auto same =
            std::ranges::find_if(to.endpoints, [&](const endpoint& one) { return same_endpoint(one, next); });
        if (same != to.endpoints.end())
            refuse_address(errc::duplicate_node,
                           fmt::format("endpoint number {} is that of number {} once more",
                                       to.endpoints.size() + 1, same - to.endpoints.begin() + 1));
        to.endpoints.push_back(std::move(next));
        refuse_address_if(to.endpoints.size() > most_endpoints,
                          fmt::format("it names more than {} endpoints", most_endpoints));
        if (comma == list.npos) return;
        list.remove_prefix(comma + 1);
    }
}

void read_prefix(std::string_view path, address& to) {
    refuse_address_if(path.find('#') != path.npos, "it has a fragment, which begins with #");
    refuse_address_if(path.find('?') != path.npos, "it has a query, which begins with ?, and takes none");
    if (path.empty() || path == "/") return;
    const std::string uri = fmt::format("etcd://host{}", path);
    const auto parts =
        understood(uri, "in the prefix of the keys, reserved characters must be percent-encoded");
    to.prefix = std::string(parts.path()).substr(1);
    refuse_address_if(to.prefix.find('\0') != to.prefix.npos, "the prefix of the keys contains a NUL byte");
    refuse_address_if(to.prefix.starts_with('/') || to.prefix.ends_with('/') ||
                          to.prefix.find("//") != to.prefix.npos,
                      "the prefix of the keys has a slash at its end, or two in a row");
    refuse_address_if(to.prefix.size() > longest_prefix,
                      fmt::format("the prefix of the keys has more than {} bytes", longest_prefix));
}

} // namespace

std::string endpoint::name() const {
    const bool bracketed = host.find(':') != host.npos;
    return fmt::format("{}{}{}:{}", bracketed ? "[" : "", host, bracketed ? "]" : "", port);
}

std::string address::name() const {
    std::string hosts;
    for (const endpoint& one : endpoints)
        hosts.append(hosts.empty() ? "" : ",").append(one.name());
    return fmt::format("{}://{}/{}", is_encrypted ? "etcds" : "etcd", hosts,
                       urls::encode(prefix, urls::pchars + '/'));
}

bool address::reveals_secret(std::string_view text) const noexcept {
    return !password.empty() && text.find(password) != text.npos;
}

address parse_address(std::string_view uri) {
    refuse_address_if(uri.size() > longest_address,
                      fmt::format("it has more than {} bytes", longest_address));
    refuse_address_if(uri.find('\0') != uri.npos, "it contains a NUL byte");
    const address_parts parts = take_apart(uri);
    address found;
    found.is_encrypted = parts.is_encrypted;
    if (!parts.login.empty()) read_login(parts.login, found);
    read_hosts(parts.hosts, found);
    read_prefix(parts.path, found);
    return found;
}

} // namespace redlock::etcd
