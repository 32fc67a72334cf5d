#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redlock::test {

/// Whether there is an etcd on this machine, and a word where there is none.
bool has_etcd();

/// A member of an etcd cluster on 127.0.0.1, alone unless `start_cluster` makes it. Not thread-safe.
class member {
public:
    struct tls_files {
        std::string certificate;
        std::string key;
    };
    /// Further arguments: `--auth-token-ttl=1`.
    explicit member(std::vector<std::string> arguments = {}, std::optional<tls_files> tls = {});
    member(const member&) = delete;
    member& operator=(const member&) = delete;

    /// Waits until it answers. Throws when it does not, with the end of its log.
    void await_ready() const;
    std::uint16_t port() const noexcept { return port_; }
    std::uint16_t peer_port() const noexcept { return peer_port_; }
    std::string peer_url() const;
    void stop() { process_->stop(); }
    void resume() { process_->resume(); }
    void kill() noexcept { process_->kill(); }
    void terminate() const;
    void start(const std::string& cluster = {});
    /// What etcdctl says; throws when it fails.
    std::string control(const std::vector<std::string>& arguments) const;

private:
    const std::vector<std::string> arguments_;
    const std::optional<tls_files> tls_;
    temporary_folder folder_;
    std::uint16_t port_;
    std::uint16_t peer_port_;
    std::string cluster_;
    std::optional<process> process_;
};

/// That many members of one cluster, ready.
std::vector<std::unique_ptr<member>> start_cluster(std::size_t count);

} // namespace redlock::test
