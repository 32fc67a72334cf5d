// `redlock local` with a database.

#include "support/process_table.hpp"
#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>

namespace redlock::test {
namespace {

struct local_postgresql_fixture {
    // Where the tests are root, the server is somebody else.
    local_postgresql_fixture() {
        std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all |
                                                        std::filesystem::perms::group_exec |
                                                        std::filesystem::perms::others_exec);
    }
    bool is_empty() const { return std::filesystem::is_empty(folder.path()); }
    static program with_database(std::vector<std::string> words) {
        words.insert(words.begin(), {"local", "--engine", "postgresql"});
        return redlock(std::move(words));
    }

    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

BOOST_FIXTURE_TEST_SUITE(local_postgresql, local_postgresql_fixture)

BOOST_AUTO_TEST_CASE(a_command_gets_a_database_that_grants_locks) {
    program local = with_database({"--", REDLOCK_TOOL, "run", "k", "--", REDLOCK_TOOL, "inspect", "k"});
    BOOST_TEST(local.says("k: held"));
    BOOST_TEST(local.says("postgresql://127.0.0.1:"));
    BOOST_TEST(local.status() == 110);
    BOOST_TEST(is_empty());
}

// Once with the backup in the environment, whose password does not reach the command, and once by the option.
BOOST_AUTO_TEST_CASE(a_lock_is_taken_from_nodes_and_a_database) {
    const std::string tool = REDLOCK_TOOL;
    const std::string inner = "export REDLOCK_BACKUP=$REDLOCK_NODES REDLOCK_NODES=$nodes; " + tool +
                              " inspect k; " + tool + " run k -- " + tool +
                              " inspect k; export one=$REDLOCK_BACKUP; " + "unset REDLOCK_BACKUP; " + tool +
                              " run --backup $one k -- " + tool + " inspect --backup $one k; " + tool +
                              " inspect --backup $nodes k";
    program local = redlock({"local", "--nodes", "3", "--", "/bin/sh", "-c",
                             "export nodes=$REDLOCK_NODES; exec " + tool +
                                 " local --engine postgresql -- /bin/sh -c '" + inner + "'"});
    BOOST_TEST(local.says("k: free"));
    for (int i = 0; i < 2; ++i) {
        BOOST_TEST(local.says("k: held by"));
        BOOST_TEST(local.says("postgresql://127.0.0.1:"));
    }
    BOOST_TEST(local.says("--backup must name another engine than --node"));
    BOOST_TEST(local.status() != 0);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(what_is_held_there_is_listed_and_shown_by_top) {
    const std::string tool = REDLOCK_TOOL;
    program local = with_database({"--", tool, "run", "k", "--", "/bin/sh", "-c",
                                   tool + " list --json && " + tool + " top --looks 1 --json && " + tool +
                                       " inspect --permits 2 --json k; " + tool + " doctor --json"});
    BOOST_TEST(local.says(R"({"keys":["k"],"more":false})"));
    const std::string seen = local.line_with(R"("key":"k")").value_or("");
    BOOST_TEST(seen.find(R"("engine":"postgresql")") != std::string::npos);
    BOOST_TEST(local.says(R"(],"engine":"postgresql"})"));
    BOOST_TEST(local.says(R"(],"engine":"postgresql","findings":[)"));
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_directive_is_a_line_of_its_configuration_and_a_wrong_one_is_shown) {
    program local = with_database({"--directive", "max_connections = many", "--", "true"});
    BOOST_TEST(local.says("invalid value for parameter \"max_connections\""));
    BOOST_TEST(local.status() == 115);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(nothing_is_left_when_it_is_killed_or_its_partner_is) {
    for (const bool partner_first : {false, true}) {
        program local = with_database({"--", "/bin/sh", "-c", "echo pids $$; while :; do sleep 0.02; done"});
        auto pids = numbers_in(local.line_with("pids"));
        BOOST_REQUIRE(pids.size() == 1u);
        const int partner = partner_of(local.pid());
        for (const int server : children_of(partner)) {
            pids.push_back(server);
            for (const int child : children_of(server))
                pids.push_back(child);
        }
        BOOST_TEST(pids.size() > 4u);
        partner_first ? static_cast<void>(::kill(partner, SIGKILL)) : local.kill();
        for (const int pid : pids)
            BOOST_TEST(eventually([&] { return has_ended(pid); }));
        if (partner_first) BOOST_TEST(local.status() == 115);
        BOOST_TEST(eventually([&] { return is_empty(); }));
    }
}

BOOST_AUTO_TEST_CASE(there_is_one_and_no_more) {
    program local = with_database({"--nodes", "2", "--", "true"});
    BOOST_TEST(local.says("--engine postgresql starts 1 at most"));
    BOOST_TEST(local.status() == 64);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
