// `redlock local` with an ensemble.

#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

namespace redlock::test {
namespace {

struct local_zookeeper_fixture {
    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

BOOST_FIXTURE_TEST_SUITE(local_zookeeper, local_zookeeper_fixture)

BOOST_AUTO_TEST_CASE(a_command_gets_an_ensemble_that_grants_locks) {
    const std::string tool = REDLOCK_TOOL;
    program local = redlock({"local", "--engine", "zookeeper", "--", tool, "run", "k", "--", "/bin/sh", "-c",
                             tool + " list --json; " + tool + " inspect k"});
    BOOST_TEST(local.says(R"({"keys":["k"],"more":false})"));
    BOOST_TEST(local.says("k: held"));
    BOOST_TEST(local.says("zookeeper://127.0.0.1:"));
    BOOST_TEST(local.status() == 110);
    BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
