#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace redlock::test {

/// A real Prometheus server that scrapes one target, with its configuration and its data in a temporary
/// folder, on a port of 127.0.0.1. Not thread-safe.
class prometheus_server {
public:
    /// Scrapes /metrics at this port several times a second. Returns when the server is ready; throws when it
    /// is not within patience, with its log.
    explicit prometheus_server(std::uint16_t target);

    /// The answer to an instant query, in JSON. Throws when there is none.
    std::string query(const std::string& expression) const;

private:
    bool starts();
    [[noreturn]] void fail(const std::string& what) const;

    temporary_folder folder_;
    std::uint16_t port_ = 0;
    std::optional<process> server_;
};

} // namespace redlock::test
