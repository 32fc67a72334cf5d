#pragma once

#include "stranger.hpp"
#include "support/fault_proxy.hpp"
#include "zookeeper_fixture.hpp"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace redlock::test {

/// One server for a suite, with sessions of 6 s.
struct leading_servers {
    leading_servers() {
        server = std::make_unique<zookeeper_server>(zookeeper_server::settings{.tick = 300});
    }
    ~leading_servers() { server.reset(); }
    static inline std::unique_ptr<zookeeper_server> server;
};

/// A root of its own, and a way to it that can be disturbed.
struct leading_service : zookeeper_fixture {
    leading_service() : zookeeper_fixture(*leading_servers::server) {}

    config distant_settings() const {
        config c = settings("zookeeper://127.0.0.1:" + std::to_string(network.port()) + root);
        c.node_timeout = 1s;
        return c;
    }
    client make_distant_client() { return client(context.get_executor(), distant_settings()); }
    /// So many have a key, or wait for one: each has a node of his session.
    std::size_t places() { return count(false); }
    /// So many leaders' values stand there.
    std::size_t values() { return count(true); }
    /// Below the root, of whatever session; throws where the server does not tell.
    std::vector<std::string> nodes_of_sessions() const {
        std::vector<std::string> found;
        const std::string all = ensemble.say("dump");
        if (all.find("Connections dump") == all.npos)
            throw std::runtime_error("the server does not tell all");
        std::istringstream told(all);
        for (std::string line; std::getline(told, line);)
            if (const std::size_t at = line.find(root + "/"); at != line.npos)
                found.push_back(line.substr(at));
        return found;
    }
    /// Another program, for a moment.
    stranger somebody() const { return stranger(ensemble.port()); }
    std::string folder() const { return root + "/key"; }
    std::string leader() const { return folder() + "/leader"; }
    /// Of the only one who has or wants the key.
    std::string place() const {
        for (const std::string& name : somebody().children(folder()))
            if (name != "leader") return folder() + "/" + name;
        throw std::runtime_error("nobody has a place");
    }
    void delete_value() { somebody().remove(leader()); }
    void delete_place() { somebody().remove(place()); }

    fault_proxy network{ensemble.port()};

private:
    std::size_t count(bool leaders) {
        context.poll(); // sessions of clients whose loop is not run end
        const std::vector<std::string> all = nodes_of_sessions();
        return static_cast<std::size_t>(std::ranges::count_if(
            all, [&](const std::string& path) { return path.ends_with("/leader") == leaders; }));
    }
};

} // namespace redlock::test
