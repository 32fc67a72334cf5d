// The suites of the lease layer that need no engine in the hand of the test, on a real etcd.

#include "engine/other_suites.hpp"
#include "support/etcd_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(lease_suites)

BOOST_AUTO_TEST_CASE(what_holds_on_the_engine_in_memory_holds_on_keys_of_etcd) {
    const etcd_server cluster;
    run_suites_on(cluster.uri(), {REDLOCK_LEASE_TEST});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
