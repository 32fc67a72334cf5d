// The suites of the lease layer that need no engine in the hand of the test, on a real database.

#include "engine/other_suites.hpp"
#include "support/postgres_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(lease_suites)

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_rows) {
    const postgres_server database;
    run_suites_on(database.uri(), {REDLOCK_LEASE_TEST});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
