#include "engines/zookeeper/address.hpp"

#include "core/printable.hpp"
#include "engines/zookeeper/make_engine.hpp"

#include <redlock/error.hpp>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace redlock::zookeeper {

namespace {

constexpr std::size_t longest_uri = std::size_t{16} << 10;
constexpr std::size_t longest_host = 253; // RFC 1035, without the length bytes
constexpr std::size_t longest_login = 512;
constexpr std::size_t longest_told = 400;

[[noreturn]] void refuse_address(const std::string& sentence) {
    throw std::system_error(errc::invalid_uri, sentence);
}

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string decoded(std::string_view text, const char* part) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                refuse_address(fmt::format("behind a % in the {} stand two hexadecimal digits", part));
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') refuse_address(fmt::format("the {} contains a NUL byte", part));
        plain += c;
    }
    return plain;
}

std::uint16_t port_in(std::string_view digits) {
    std::uint16_t port = 0;
    const char* const end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, port);
    if (error != std::errc() || behind != end || port == 0)
        refuse_address("a port is a number from 1 to 65535");
    return port;
}

std::string host_in(std::string_view text) {
    std::string host = decoded(text, "host");
    const bool fits = !host.empty() && host.size() <= longest_host && std::ranges::all_of(host, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '.' || c == '_';
    });
    if (!fits)
        refuse_address("a host has 1 to 253 letters, digits, dots, hyphens and underscores, or is an IPv6 "
                       "address in brackets");
    return host;
}

network::destination server_in(std::string_view text) {
    network::destination found{.host = {}, .port = usual_port};
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        boost::system::error_code wrong;
        const auto ip = boost::asio::ip::make_address_v6(
            std::string(text.substr(1, end == text.npos ? 0 : end - 1)), wrong);
        if (wrong || end == text.npos) refuse_address("what stands in brackets is no IPv6 address");
        found.host = ip.to_string();
        text.remove_prefix(end + 1);
        if (!text.empty() && !text.starts_with(':')) refuse_address("behind a ] stands a port, or nothing");
    } else {
        found.host = host_in(text.substr(0, text.find(':')));
        text.remove_prefix(std::min(text.size(), text.find(':')));
    }
    if (!text.empty()) found.port = port_in(text.substr(1));
    return found;
}

std::string root_in(std::string_view text) {
    std::string root = decoded(text, "root");
    while (root.ends_with('/'))
        root.pop_back();
    if (root.empty()) return std::string(usual_root);
    if (root.size() > longest_root)
        refuse_address(fmt::format("the root has more than {} bytes", longest_root));
    for (std::size_t begin = 1; begin <= root.size();) {
        const std::size_t end = std::min(root.find('/', begin), root.size());
        const std::string part = root.substr(begin, end - begin);
        const bool fits = !part.empty() && part != "." && part != ".." &&
                          std::ranges::all_of(part, [](char c) { return c > ' ' && c < '\x7f'; });
        if (!fits || (begin == 1 && part == "zookeeper"))
            refuse_address("the root is a path of names of visible ASCII characters, none of which is . or "
                           ".., and does not begin with /zookeeper");
        begin = end + 1;
    }
    return root;
}

void take_login(std::string_view text, address& to) {
    const std::size_t colon = text.find(':');
    to.user = decoded(text.substr(0, colon), "user");
    if (colon != text.npos) to.password = decoded(text.substr(colon + 1), "password");
    if (to.user.empty()) refuse_address("the user is missing in front of the @");
    if (to.user.find(':') != to.user.npos) refuse_address("the user contains a colon");
    if (text.size() > longest_login)
        refuse_address(fmt::format("user and password have more than {} bytes", longest_login));
}

} // namespace

std::string name_of(const network::destination& d) {
    const bool bracketed = d.host.find(':') != d.host.npos;
    return bracketed ? fmt::format("[{}]:{}", d.host, d.port) : fmt::format("{}:{}", d.host, d.port);
}

std::string address::name() const {
    std::string all;
    for (const network::destination& d : servers) {
        if (!all.empty()) all += ',';
        all += name_of(d);
    }
    return core::printable(fmt::format("{}{}{}", scheme, all, root), longest_told);
}

address parse_address(std::string_view uri) {
    if (!is_address(uri) || uri.size() > longest_uri)
        refuse_address("it is no zookeeper://[user:password@]host[:port][,host[:port]…][/root]");
    uri.remove_prefix(scheme.size());
    if (uri.find_first_of("?#") != uri.npos)
        refuse_address("it has a query or a fragment, which means nothing");
    address found;
    const std::size_t slash = std::min(uri.find('/'), uri.size());
    found.root = root_in(uri.substr(slash));
    std::string_view servers = uri.substr(0, slash);
    if (const std::size_t at = servers.rfind('@'); at != servers.npos) {
        take_login(servers.substr(0, at), found);
        servers.remove_prefix(at + 1);
    }
    for (;;) {
        const std::size_t comma = servers.find(',');
        network::destination next = server_in(servers.substr(0, comma));
        for (const network::destination& other : found.servers)
            if (other.host == next.host && other.port == next.port)
                throw std::system_error(errc::duplicate_node, "a server stands there twice");
        if (found.servers.size() == most_servers)
            refuse_address(fmt::format("it names more than {} servers", most_servers));
        found.servers.push_back(std::move(next));
        if (comma == servers.npos) return found;
        servers.remove_prefix(comma + 1);
    }
}

} // namespace redlock::zookeeper
