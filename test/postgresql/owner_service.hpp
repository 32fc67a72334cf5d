#pragma once

#include "postgres_fixture.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace redlock::test {

/// Each test has a database of its own.
struct owner_servers {};

struct owner_service : postgres_fixture {
    /// Of "key".
    std::size_t places() { return std::stoul(held_rows()); }
    bool key_lives_for(std::chrono::milliseconds least) {
        const std::string behind = std::to_string(least.count()) + " milliseconds";
        return database
                   .query("SELECT expires > clock_timestamp() + interval '" + behind +
                          "' FROM redlock WHERE key = 'key'")
                   .at(0) == "t";
    }
};

} // namespace redlock::test
