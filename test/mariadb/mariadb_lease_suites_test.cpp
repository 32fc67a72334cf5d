// The suites of the lease layer that need no engine in the hand of the test, on a real database.

#include "engine/other_suites.hpp"
#include "support/mariadb_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(mariadb_lease_suites)

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_rows_of_mariadb) {
    const mariadb_server database;
    // All but the one that first sees how many wait in another client, which these databases do not tell.
    run_suites_on(
        database.uri(),
        {REDLOCK_LEASE_TEST, "--run_test=!acquire_suite/an_attempt_beside_one_that_waits_is_refused_too"});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
