// `redlock local` with a database of MariaDB, and the commands on its locks.

#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

namespace redlock::test {
namespace {

struct local_mariadb_fixture {
    bool is_empty() const { return std::filesystem::is_empty(folder.path()); }
    static program with_mariadb(std::vector<std::string> words) {
        words.insert(words.begin(), {"local", "--engine", "mariadb"});
        return redlock(std::move(words));
    }

    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

BOOST_FIXTURE_TEST_SUITE(local_mariadb, local_mariadb_fixture)

BOOST_AUTO_TEST_CASE(a_command_gets_a_database_of_mariadb_that_grants_locks) {
    program local = with_mariadb({"--", REDLOCK_TOOL, "run", "k", "--", REDLOCK_TOOL, "inspect", "k"});
    BOOST_TEST(local.says("k: held"));
    BOOST_TEST(local.says("mysql://127.0.0.1:"));
    BOOST_TEST(local.status() == 110);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(what_is_held_in_mariadb_is_listed_shown_and_examined) {
    const std::string tool = REDLOCK_TOOL;
    program local = with_mariadb({"--", tool, "run", "k", "--", "/bin/sh", "-c",
                                  tool + " list --json && " + tool + " top --looks 1 --json && " + tool +
                                      " inspect --permits 2 --json k; " + tool + " doctor --json"});
    BOOST_TEST(local.says(R"({"keys":["k"],"more":false})"));
    const std::string seen = local.line_with(R"("key":"k")").value_or("");
    BOOST_TEST(seen.find(R"("engine":"mariadb")") != std::string::npos);
    BOOST_TEST(local.says(R"(],"engine":"mariadb"})"));
    const std::string found = local.line_with(R"(],"engine":"mariadb","findings":[)").value_or("");
    BOOST_TEST(found.find("innodb_flush_log_at_trx_commit is 0") != std::string::npos, found);
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_wrong_directive_is_shown_in_the_words_of_mariadb) {
    program local = with_mariadb({"--directive", "no-such-thing=1", "--", "true"});
    BOOST_TEST(local.says("no-such-thing"));
    BOOST_TEST(local.status() == 115);
    BOOST_TEST(is_empty());
}

BOOST_AUTO_TEST_CASE(the_schema_is_written_for_either_kind) {
    program mysql = redlock({"sql", "schema", "--database", "mysql"});
    BOOST_TEST(mysql.says("UNIQUE KEY guard"));
    BOOST_TEST(mysql.status() == 0);
    program postgresql = redlock({"sql", "schema"});
    BOOST_TEST(postgresql.says("CREATE SEQUENCE"));
    BOOST_TEST(postgresql.status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
