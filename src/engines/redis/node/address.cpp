#include "engines/redis/node/address.hpp"

#include "engines/redis/node/lower_case.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/rfc/pchars.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace redlock::node {
namespace {

namespace urls = boost::urls;

bool equal(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower_case(x) == lower_case(y); });
}

} // namespace

std::string endpoint::name() const {
    const bool bracketed = host.find(':') != host.npos;
    return fmt::format("{}{}{}:{}", bracketed ? "[" : "", host, bracketed ? "]" : "", port);
}

std::string address::name() const {
    if (via == transport::unix_socket)
        return fmt::format("unix://{}?db={}", urls::encode(path, urls::pchars + '/'), database);
    const char* const scheme = via == transport::tls ? "rediss" : "redis";
    if (!is_group()) return fmt::format("{}://{}/{}", scheme, endpoint{host, port}.name(), database);
    std::string hosts;
    for (const endpoint& one : sentinels) {
        if (!hosts.empty()) hosts += ',';
        hosts += one.name();
    }
    return fmt::format("{}+sentinel://{}/{}/{}", scheme, hosts, service, database);
}

bool same_server(const endpoint& a, const endpoint& b) noexcept {
    return a.port == b.port && equal(a.host, b.host);
}

bool same_server(const address& a, const address& b) noexcept {
    const bool local = a.via == address::transport::unix_socket;
    if (local != (b.via == address::transport::unix_socket) || a.is_group() != b.is_group()) return false;
    if (local) return a.path == b.path;
    if (!a.is_group()) return same_server(endpoint{a.host, a.port}, endpoint{b.host, b.port});
    const auto is_of_b = [&](const endpoint& one) {
        return std::any_of(b.sentinels.begin(), b.sentinels.end(),
                           [&](const endpoint& other) { return same_server(one, other); });
    };
    return a.service == b.service && std::any_of(a.sentinels.begin(), a.sentinels.end(), is_of_b);
}

} // namespace redlock::node
