#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace redlock::test {

/// A real ZooKeeper ensemble without data, of one or more servers, on free ports of 127.0.0.1 and in a
/// temporary folder. Not thread-safe.
class zookeeper_server {
public:
    struct settings {
        unsigned servers = 1;
        unsigned tick = 100; ///< in milliseconds: sessions live for 2 to 20 of them
    };
    /// Starts the servers and waits until each has its part. Throws when that takes too long, with the log.
    zookeeper_server() : zookeeper_server(settings{}) {}
    explicit zookeeper_server(settings s);
    zookeeper_server(const zookeeper_server&) = delete;
    zookeeper_server& operator=(const zookeeper_server&) = delete;
    ~zookeeper_server();

    /// With all servers; `rest` follows the ports: "/root".
    std::string uri(const std::string& login = {}, const std::string& rest = {}) const;
    std::uint16_t port(std::size_t server = 0) const noexcept { return members_[server].port; }
    std::size_t size() const noexcept { return members_.size(); }
    bool leads(std::size_t server) const;
    /// Which server leads; throws when none does.
    std::size_t leader() const;
    /// What it says to a word of four letters; empty where it says nothing.
    std::string say(const std::string& word, std::size_t server = 0) const;

    void stop(std::size_t server = 0);
    void resume(std::size_t server = 0);
    /// As by a power failure of the program alone.
    void crash(std::size_t server = 0);
    /// Behind a crash, on the same port and with its data.
    void start(std::size_t server = 0);
    void await_service() const;

private:
    struct member {
        std::uint16_t port;
        std::optional<process> server{};
    };

    std::string folder_of(std::size_t server) const;
    [[noreturn]] void fail(const std::string& what) const;

    temporary_folder folder_;
    std::vector<member> members_;
};

} // namespace redlock::test
