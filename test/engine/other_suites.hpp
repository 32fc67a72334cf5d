#pragma once

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace redlock::test {

/// Runs another program of tests, whose clients are of the engine that is named, and shows what it says where
/// one fails.
inline void run_suites_on(const std::string& engine, const std::vector<std::string>& command) {
    const environment named("REDLOCK_LEASE_TEST_ENGINE", engine);
    child_process suites(command);
    std::string all;
    while (const auto line = suites.read_line(10 * patience))
        all += *line + "\n";
    const auto status = suites.wait(patience);
    BOOST_TEST(status.value_or(-1) == 0, all);
}

} // namespace redlock::test
