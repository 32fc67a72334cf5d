#pragma once

#include "client/lock_fixture.hpp"
#include "support/authority.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {

/// Of a server that shows a certificate of the trusted authority, or what else is asked for.
inline redis_options with_tls(const certificate_request& own = {}, bool asks_clients = false) {
    const certificate_files files = trusted_authority().sign(own);
    redis_options options;
    options.tls = redis_tls{files.certificate, files.key, trusted_authority().file(), asks_clients};
    return options;
}

/// Of TLS, as servers name them.
inline constexpr const char* both_protocols[] = {"TLSv1.2", "TLSv1.3"};

inline redis_options speaking(const char* protocol, redis_options options = with_tls()) {
    options.directives.push_back(std::string("tls-protocols ") + protocol);
    return options;
}

inline tls_options trusting_nodes() { return {.ca_file = trusted_authority().file()}; }

/// Real nodes that speak TLS, and an event loop.
struct tls_nodes : lock_fixture {
    explicit tls_nodes(const redis_options& options = with_tls(), std::size_t count = 3)
        : lock_fixture(count, options) {}

    config settings() const {
        config c = lock_fixture::settings();
        c.tls = trusting_nodes();
        return c;
    }
    /// Why the first node of a client is not there, once that is known.
    node_metrics failure_of(const config& c) {
        client locks(context.get_executor(), c);
        node_metrics seen;
        BOOST_TEST(run_until([&] {
            seen = locks.metrics().nodes.at(0);
            return seen.last_error.failed();
        }));
        return seen;
    }
    node_metrics failure_of(const std::string& uri, const tls_options& tls = trusting_nodes()) {
        config c = settings();
        c.nodes = {uri};
        c.tls = tls;
        return failure_of(c);
    }
};

} // namespace redlock::test
