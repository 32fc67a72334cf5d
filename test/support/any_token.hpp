#pragma once

#include "client/entropy.hpp"
#include "core/lock_token.hpp"

namespace redlock::test {

/// Unlike any other.
inline core::lock_token any_token() {
    static const core::client_name client(core::draw(lock::system_entropy()));
    return {client, 1'700'000'000'000'000, core::draw(lock::system_entropy())};
}

} // namespace redlock::test
