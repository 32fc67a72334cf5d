// The suites of leaders that need no engine in the hand of the test, on a real etcd.

#include "engine/other_suites.hpp"
#include "support/etcd_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(election_suites)

BOOST_AUTO_TEST_CASE(what_holds_of_leaders_in_memory_holds_of_those_in_etcd) {
    const etcd_server cluster;
    run_suites_on(cluster.uri(), {REDLOCK_PRIMITIVE_TEST, "--run_test=election,election_coroutine"});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
