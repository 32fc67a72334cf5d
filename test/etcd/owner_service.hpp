#pragma once

#include "etcd_fixture.hpp"

namespace redlock::test {

/// Each test has a cluster of its own.
struct owner_servers {};

struct owner_service : etcd_fixture {
    /// So many have "key", or wait for it.
    std::size_t places() { return keys(); }
    bool key_lives_for(std::chrono::milliseconds least) {
        client looks = make_client();
        return inspect(looks).nodes.at(0).remaining > least;
    }
};

} // namespace redlock::test
