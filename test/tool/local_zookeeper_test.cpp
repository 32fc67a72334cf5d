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

BOOST_AUTO_TEST_CASE(what_is_held_there_is_shown_watched_and_taken_away) {
    const std::string tool = REDLOCK_TOOL;
    const std::string inside = tool + " top --looks 1 --json; " + tool +
                               " inspect --json k; timeout -s INT 2 " + tool + " watch k; " + tool +
                               " break --yes k; sleep 30; echo never";
    program local = redlock({"local", "--engine", "zookeeper", "--", tool, "run", "--ttl", "2s", "k", "--",
                             "/bin/sh", "-c", inside});
    const std::string seen = local.line_with(R"("key":"k")").value_or("");
    BOOST_TEST(seen.find(R"("engine":"zookeeper")") != std::string::npos);
    BOOST_TEST(seen.find(R"("state":"held")") != std::string::npos);
    BOOST_TEST(local.says(R"("product":"zookeeper")"));
    BOOST_TEST(local.says("k: held by"));
    BOOST_TEST(local.says("k: removed from 1 of 1 nodes"));
    BOOST_TEST(local.says("lost k"));
    BOOST_TEST(local.status() == 113);
}

BOOST_AUTO_TEST_CASE(one_leads_there_and_others_see_it_until_the_lead_is_broken) {
    const std::string tool = REDLOCK_TOOL;
    const std::string led = tool + " leader --json k; " + tool + " inspect k; " + tool +
                            " elect --try k -- true; " + "echo refused with $?; " + tool +
                            " break --yes k; sleep 30; echo never";
    program local = redlock({"local", "--engine", "zookeeper", "--", "/bin/sh", "-c",
                             tool + " elect k --value 10.0.0.1:80 --ttl 2s -- /bin/sh -c '" + led +
                                 "'; echo lost with $?; " + tool + " leader k; echo nobody: $?"});
    BOOST_TEST(local.says(R"({"name":"k","leader":"10.0.0.1:80","term":)"));
    BOOST_TEST(local.says(" as 10.0.0.1:80"));
    BOOST_TEST(local.says("refused with 110"));
    BOOST_TEST(local.says("k: removed from 1 of 1 nodes"));
    BOOST_TEST(local.says("lost with 113"));
    BOOST_TEST(local.says("nobody: 119"));
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_CASE(an_ensemble_is_examined_loaded_and_read_by_several) {
    const std::string tool = REDLOCK_TOOL;
    const std::string held = tool + " run --read --wait 0 k -- echo reads too; " + tool +
                             " run --wait 0 k -- echo never; echo refused with $?";
    program local =
        redlock({"local", "--engine", "zookeeper", "--", "/bin/sh", "-c",
                 tool + " doctor && " + tool + " bench --count 200 --callers 8 --quiet --json && " + tool +
                     " run --read k -- /bin/sh -c '" + held + "'"});
    BOOST_TEST(local.says("zookeeper 3."));
    BOOST_TEST(local.says("These nodes are fit to hold locks."));
    BOOST_TEST(local.says(R"("callers":8)"));
    BOOST_TEST(local.says("reads too"));
    BOOST_TEST(local.says("refused with 110"));
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
