#include "engines/etcd/make_engine.hpp"

#include "engines/etcd/etcd_engine.hpp"
#include "network/transport/encryption.hpp"

#include <algorithm>
#include <system_error>

namespace redlock::etcd {

namespace {

// A majority writes to its disks before it answers, and these may be busy.
constexpr std::chrono::milliseconds least_patience{500};

std::shared_ptr<network::encryption> encryption_of(const config& c, const address& a) {
    if (!a.is_encrypted) return nullptr;
    if (!network::has_encryption())
        throw std::system_error(errc::invalid_uri,
                                "this library is built without TLS, etcds:// cannot be used");
    return network::make_encryption(c.tls, spoken_by_etcd);
}

} // namespace

std::unique_ptr<engine::engine> make_engine(const config& c, const strand& on, core::entropy& random_bits,
                                            turn::turns& t) {
    address a = parse_address(c.nodes.front());
    line_settings line{.endpoints = {},
                       .patience = std::max(c.node_timeout, least_patience),
                       .tls = encryption_of(c, a),
                       .login = {.user = a.user, .password = a.password},
                       .log_in_as = c.credentials,
                       .name = a.name()};
    for (const endpoint& e : a.endpoints)
        line.endpoints.push_back(e.where());
    settings s{.cluster = std::move(a),
               .line = std::move(line),
               .holder_label = c.holder_label,
               .max_inflight = c.max_inflight,
               .observer = c.observer,
               .entropy = &random_bits};
    return std::make_unique<etcd_engine>(on, std::move(s), t);
}

} // namespace redlock::etcd
