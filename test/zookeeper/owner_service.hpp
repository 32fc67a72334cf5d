#pragma once

#include "engines/zookeeper/rule/lock_record.hpp"
#include "stranger.hpp"
#include "zookeeper_fixture.hpp"

namespace redlock::test {

using owner_servers = shared_server;

struct owner_service : zookeeper_fixture {
    /// So many have "key", or wait for it; it was locked before.
    std::size_t places() const { return stranger(ensemble.port()).children(folder()).size(); }
    /// As its holder may believe.
    bool key_lives_for(std::chrono::milliseconds least) const {
        const auto stands = stranger(ensemble.port()).read(folder());
        return zookeeper::read_content(stands->data).holder->life > least;
    }
    std::string folder() const { return root + "/key"; }
};

} // namespace redlock::test
