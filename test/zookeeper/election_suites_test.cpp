// The suites of leaders that need no engine in the hand of the test, on a real server.

#include "support/child_process.hpp"
#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/zookeeper_server.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(election_suites)

BOOST_AUTO_TEST_CASE(what_holds_of_leaders_in_memory_holds_of_those_in_zookeeper) {
    const zookeeper_server ensemble;
    const environment engine("REDLOCK_LEASE_TEST_ENGINE", ensemble.uri());
    child_process suites({REDLOCK_PRIMITIVE_TEST, "--run_test=election,election_coroutine"});
    std::string all;
    while (const auto line = suites.read_line(10 * patience))
        all += *line + "\n";
    const auto status = suites.wait(patience);
    BOOST_TEST(status.value_or(-1) == 0, all);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
