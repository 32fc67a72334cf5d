#pragma once

#include "lease_fixture.hpp"

namespace redlock::test {

/// An owner, and two clients.
struct owner_fixture : lease_fixture {
    lock_options mine(lock_options options = patiently()) {
        options.owner = &me;
        return options;
    }

    client locks = make_client();
    client other = make_client();
    owner me;
};

} // namespace redlock::test
