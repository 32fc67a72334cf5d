// The suites of leaders that need no engine in the hand of the test, on a real server.

#include "engine/other_suites.hpp"
#include "support/zookeeper_server.hpp"

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(election_suites)

BOOST_AUTO_TEST_CASE(what_holds_of_leaders_in_memory_holds_of_those_in_zookeeper) {
    const zookeeper_server ensemble;
    run_suites_on(ensemble.uri(), {REDLOCK_PRIMITIVE_TEST, "--run_test=election,election_coroutine"});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
