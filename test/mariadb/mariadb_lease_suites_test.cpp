// The suites of the lease layer that need no engine in the hand of the test, on a real database.

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/mariadb_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(mariadb_lease_suites)

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_rows_of_mariadb) {
    const mariadb_server database;
    const environment engine("REDLOCK_LEASE_TEST_ENGINE", database.uri());
    // All but the one that first sees how many wait in another client, which these databases do not tell.
    child_process suites(
        {REDLOCK_LEASE_TEST, "--run_test=!acquire_suite/an_attempt_beside_one_that_waits_is_refused_too"});
    std::string all;
    while (const auto line = suites.read_line(10 * patience))
        all += *line + "\n";
    const auto status = suites.wait(patience);
    BOOST_TEST(status.value_or(-1) == 0, all);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
