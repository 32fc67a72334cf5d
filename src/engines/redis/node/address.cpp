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

std::string listed(const std::vector<endpoint>& all) {
    std::string hosts;
    for (const endpoint& one : all)
        hosts.append(hosts.empty() ? "" : ",").append(one.name());
    return hosts;
}

bool have_one_in_common(const std::vector<endpoint>& a, const std::vector<endpoint>& b) noexcept {
    return std::any_of(a.begin(), a.end(), [&](const endpoint& one) {
        return std::any_of(b.begin(), b.end(),
                           [&](const endpoint& other) { return same_server(one, other); });
    });
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
    if (is_cluster()) return fmt::format("{}+cluster://{}", scheme, listed(members));
    const std::string hosts = is_group() ? listed(sentinels) : endpoint{host, port}.name();
    if (!is_group()) return fmt::format("{}://{}/{}", scheme, hosts, database);
    return fmt::format("{}+sentinel://{}/{}/{}", scheme, hosts, service, database);
}

bool same_server(const endpoint& a, const endpoint& b) noexcept {
    return a.port == b.port && equal(a.host, b.host);
}

bool same_server(const address& a, const address& b) noexcept {
    const bool local = a.via == address::transport::unix_socket;
    if (local != (b.via == address::transport::unix_socket) || a.is_group() != b.is_group()) return false;
    if (local) return a.path == b.path;
    if (a.is_group()) return a.service == b.service && have_one_in_common(a.sentinels, b.sentinels);
    if (a.is_cluster() && b.is_cluster()) return have_one_in_common(a.members, b.members);
    const auto is_member = [](const std::vector<endpoint>& of, const address& one) {
        return std::any_of(of.begin(), of.end(), [&](const endpoint& member) {
            return same_server(member, endpoint{one.host, one.port});
        });
    };
    if (a.is_cluster()) return is_member(a.members, b);
    if (b.is_cluster()) return is_member(b.members, a);
    return same_server(endpoint{a.host, a.port}, endpoint{b.host, b.port});
}

} // namespace redlock::node
