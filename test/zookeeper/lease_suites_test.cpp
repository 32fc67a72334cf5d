// The suites of the lease layer that need no engine in the hand of the test, on a real server.

#include "engine/other_suites.hpp"
#include "support/zookeeper_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(lease_suites)

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_folders) {
    const zookeeper_server ensemble;
    run_suites_on(ensemble.uri(), {REDLOCK_LEASE_TEST});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
