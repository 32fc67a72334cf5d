#include "engines/redis/node/address.hpp"
#include "engines/redis/node/lower_case.hpp"

#include <redlock/error.hpp>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace redlock::node {
namespace {

namespace urls = boost::urls;
using transport = address::transport;

constexpr std::size_t longest_uri = std::size_t{16} * 1024;
constexpr std::size_t longest_host_name = 253; // RFC 1035, without the length bytes
constexpr std::size_t longest_path = 107;      // sockaddr_un::sun_path less its closing NUL
constexpr unsigned last_database = 16'383;
constexpr std::size_t longest_service = 64;
constexpr std::size_t most_hosts = 15;

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::system_error(errc::invalid_uri, "node address: " + sentence);
}

void refuse_if(bool wrong, const char* sentence) {
    if (wrong) refuse(sentence);
}

std::optional<unsigned> number(std::string_view digits, unsigned least, unsigned most) noexcept {
    unsigned value = 0;
    const char* const begin = digits.data();
    const char* const end = begin + digits.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || rest != end || value < least || value > most) return std::nullopt;
    return value;
}

unsigned database(std::string_view digits) {
    const auto value = number(digits, 0, last_database);
    if (!value) refuse(fmt::format("the database is not a number from 0 to {}", last_database));
    return *value;
}

urls::url_view split(std::string_view uri) {
    const auto parts = urls::parse_uri({uri.data(), uri.size()});
    // Boost.URL 1.81 takes a second @ after the host for the beginning of a path, though a path begins with a
    // slash.
    const bool path_without_slash = parts && parts->has_authority() && !parts->encoded_path().empty() &&
                                    !parts->encoded_path().starts_with('/');
    refuse_if(
        !parts || path_without_slash,
        "it is not a URI such as redis://host:6379/0; in user and password, reserved characters must be "
        "percent-encoded, the port must be a number, and an IPv6 address must stand in brackets");
    refuse_if(parts->has_fragment(), "it has a fragment, which begins with #");
    return *parts;
}

transport transport_of(const urls::url_view& uri) {
    std::string scheme = uri.scheme();
    std::transform(scheme.begin(), scheme.end(), scheme.begin(), lower_case);
    if (scheme == "redis") return transport::tcp;
    if (scheme == "rediss") return transport::tls;
    refuse_if(
        scheme != "unix",
        "the scheme is unknown; it may be redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, "
        "rediss+cluster or unix, and memory, postgresql, mysql, etcd or zookeeper for another engine");
    return transport::unix_socket;
}

std::string without_nul(std::string decoded, const char* part) {
    if (decoded.find('\0') != decoded.npos) refuse(fmt::format("the {} contains a NUL byte", part));
    return decoded;
}

std::string host_of(const urls::url_view& uri) {
    refuse_if(uri.encoded_host().empty(), "the host is missing");
    if (uri.host_type() == urls::host_type::ipv6) return uri.host_ipv6_address().to_string();
    const std::string host = uri.host();
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '.' || c == '_';
    };
    refuse_if(!std::all_of(host.begin(), host.end(), allowed),
              "the host may have letters, digits, dots, hyphens and underscores only");
    if (host.size() > longest_host_name)
        refuse(fmt::format("the host has more than {} bytes", longest_host_name));
    return host;
}

void read_internet_address(const urls::url_view& uri, address& to) {
    to.host = host_of(uri);
    if (uri.has_port()) {
        const auto port = number({uri.port().data(), uri.port().size()}, 1, 65'535);
        if (!port) refuse("the port is not a number from 1 to 65535");
        to.port = static_cast<std::uint16_t>(*port);
    }
    refuse_if(uri.has_query(), "a query is for unix:// only; the database is the path, as in redis://host/1");
    const std::string path = uri.path();
    if (path.size() > 1) to.database = database(std::string_view(path).substr(1));
}

void read_socket_path(const urls::url_view& uri, address& to) {
    refuse_if(
        !uri.encoded_host().empty() || uri.has_port(),
        "unix:// takes neither host nor port; three slashes lead to the path, as in unix:///run/redis.sock");
    to.path = without_nul(uri.path(), "path");
    refuse_if(to.path.size() < 2, "the path of the Unix socket is missing");
    if (to.path.size() > longest_path)
        refuse(fmt::format("the path of the Unix socket has more than {} bytes", longest_path));
    bool seen = false;
    for (const auto parameter : uri.params()) {
        refuse_if(parameter.key != "db", "a query parameter is unknown; unix:// takes db alone");
        refuse_if(std::exchange(seen, true), "the query parameter db stands there twice");
        to.database = database(parameter.value);
    }
}

address parse_server(std::string_view uri) {
    const auto parts = split(uri);
    address found;
    found.via = transport_of(parts);
    refuse_if(!parts.has_authority(), "two slashes must follow the scheme, as in redis://host");
    found.user = without_nul(parts.user(), "user");
    found.password = without_nul(parts.password(), "password");
    if (found.via == transport::unix_socket) {
        read_socket_path(parts, found);
    } else {
        read_internet_address(parts, found);
    }
    return found;
}

/// The parts of the URI of a group or a cluster, which lists several hosts where others have one.
struct group_parts {
    std::string_view scheme; ///< of its servers
    bool is_cluster;
    std::string_view login; ///< with the @ that ends it, or empty
    std::string_view hosts;
    std::string_view path; ///< with the slash that begins it, or empty
};

std::optional<group_parts> split_group(std::string_view uri) {
    const auto colon = uri.find(':');
    if (colon == uri.npos) return std::nullopt;
    std::string scheme(uri.substr(0, colon + 1));
    std::transform(scheme.begin(), scheme.end(), scheme.begin(), lower_case);
    const auto plus = scheme.find('+');
    if (plus == scheme.npos) return std::nullopt;
    const bool is_cluster = scheme.ends_with("+cluster:");
    if (!is_cluster && !scheme.ends_with("+sentinel:")) return std::nullopt;
    refuse_if(scheme.starts_with("unix+"),
              is_cluster ? "a cluster is not on Unix sockets" : "Sentinels are not on Unix sockets");
    group_parts found{
        .scheme = uri.substr(0, plus), .is_cluster = is_cluster, .login = {}, .hosts = {}, .path = {}};
    uri.remove_prefix(scheme.size());
    refuse_if(!uri.starts_with("//"),
              "two slashes must follow the scheme, as in redis+sentinel://host/service");
    uri.remove_prefix(2);
    found.hosts = uri.substr(0, uri.find_first_of("/?#"));
    found.path = uri.substr(found.hosts.size());
    if (const auto at = found.hosts.rfind('@'); at != found.hosts.npos) {
        found.login = found.hosts.substr(0, at + 1);
        found.hosts.remove_prefix(at + 1);
    }
    return found;
}

endpoint server_at(std::string_view scheme, std::string_view host, std::string_view usual_port) {
    const auto after_ip = host.rfind(']');
    const bool has_port = host.find(':', after_ip == host.npos ? 0 : after_ip) != host.npos;
    address one = parse_server(fmt::format("{}://{}{}", scheme, host, has_port ? "" : usual_port));
    return {.host = std::move(one.host), .port = one.port};
}

std::string service_named(std::string_view path) {
    const std::string_view name = path.substr(0, path.find('/'));
    refuse_if(name.empty(), "the name of the group is missing, as in redis+sentinel://host:26379/mymaster");
    refuse_if(name.size() > longest_service, "the name of the group has more than 64 bytes");
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '.' || c == '_';
    };
    refuse_if(!std::all_of(name.begin(), name.end(), allowed),
              "the name of the group may have letters, digits, dots, hyphens and underscores only");
    return std::string(name);
}

std::vector<endpoint> hosts_in(const group_parts& parts) {
    std::vector<endpoint> all;
    for (std::string_view rest = parts.hosts; !rest.empty() || all.empty();) {
        const std::string_view host = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), host.size() + 1));
        refuse_if(host.empty() || (rest.empty() && parts.hosts.ends_with(',')), "the host is missing");
        endpoint next = server_at(parts.scheme, host, parts.is_cluster ? ":6379" : ":26379");
        const bool repeated =
            std::any_of(all.begin(), all.end(), [&](const endpoint& one) { return same_server(one, next); });
        refuse_if(repeated,
                  parts.is_cluster ? "a server stands there twice" : "a Sentinel stands there twice");
        all.push_back(std::move(next));
        if (all.size() > most_hosts)
            refuse(fmt::format("it names more than {} {}", most_hosts,
                               parts.is_cluster ? "servers" : "Sentinels"));
    }
    return all;
}

address parse_group(const group_parts& parts) {
    // With all that is to be said of the scheme and the login.
    address found = parse_server(fmt::format("{}://{}host", parts.scheme, parts.login));
    found.host.clear();
    (parts.is_cluster ? found.members : found.sentinels) = hosts_in(parts);
    refuse_if(parts.path.find('#') != parts.path.npos, "it has a fragment, which begins with #");
    refuse_if(parts.path.find('?') != parts.path.npos,
              "a query is for unix:// only; the database is the path, as in redis://host/1");
    std::string_view path = parts.path;
    if (!path.empty()) path.remove_prefix(1);
    if (parts.is_cluster) {
        refuse_if(!path.empty() && path != "0", "a cluster has no other database than 0");
        return found;
    }
    found.service = service_named(path);
    path.remove_prefix(std::min(path.size(), found.service.size() + 1));
    if (!path.empty()) found.database = database(path);
    return found;
}

} // namespace

address parse_address(std::string_view uri) {
    if (uri.size() > longest_uri) refuse(fmt::format("it has more than {} bytes", longest_uri));
    refuse_if(uri.find('\0') != uri.npos, "it contains a NUL byte");
    const auto group = split_group(uri);
    return group ? parse_group(*group) : parse_server(uri);
}

} // namespace redlock::node
