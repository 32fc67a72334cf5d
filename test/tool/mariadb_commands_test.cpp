// The commands that look at keys, take them away and count, on a real database of MariaDB.

#include "support/mariadb_server.hpp"
#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

namespace redlock::test {
namespace {

/// A database that is named in the environment for the tool, which is patient with it.
struct mariadb_commands_fixture {
    static program reading(std::vector<std::string> words) {
        words.insert(words.begin() + 1, {"--node-timeout", "20s"});
        return redlock(std::move(words));
    }
    /// Holds the key until it is ended.
    static program holding(std::vector<std::string> options) {
        options.insert(options.begin(), {"--node-timeout", "20s"});
        return redlock_run(std::move(options), "echo begun $REDLOCK_FENCING_TOKEN; exec sleep 600");
    }
    std::string held_rows() const {
        return database
            .query("SELECT COUNT(*) FROM redlock WHERE token IS NOT NULL AND `key` <> '' AND expires > "
                   "UTC_TIMESTAMP(6)")
            .at(0);
    }

    mariadb_server database;
    environment named{"REDLOCK_NODES", database.uri()};
};

BOOST_FIXTURE_TEST_SUITE(mariadb_commands, mariadb_commands_fixture)

BOOST_AUTO_TEST_CASE(run_holds_the_row_while_its_command_runs) {
    program first = reading(
        {"run", "--fencing", "k", "--", "/bin/sh", "-c", "echo token $REDLOCK_FENCING_TOKEN; exit 7"});
    const std::string token = first.line_with("token ").value_or("");
    BOOST_TEST(first.status() == 7);
    BOOST_TEST(held_rows() == "0");
    program second = holding({"--fencing", "k"});
    const std::string later = second.line_with("begun ").value_or("");
    BOOST_REQUIRE((token.size() > 6 && later.size() > 6));
    BOOST_TEST(std::stoull(later.substr(6)) > std::stoull(token.substr(6)));
    BOOST_TEST(held_rows() == "1");
    BOOST_TEST(reading({"run", "--try", "k", "--", "true"}).status() == 110);
    second.signal(SIGTERM);
    BOOST_TEST(second.status() == 143);
    BOOST_TEST(eventually([&] { return held_rows() == "0"; }));
}

BOOST_AUTO_TEST_CASE(watch_and_inspect_show_who_has_a_key_but_not_how_many_wait) {
    program watch = reading({"watch", "--interval", "20ms", "k"});
    BOOST_TEST(watch.says("k: free"));
    program holder = holding({"--label", "the holder", "k"});
    BOOST_REQUIRE(holder.says("begun"));
    BOOST_TEST(watch.says("k: held by the holder"));
    program waiting = holding({"--label", "the next", "k"});

    program table = reading({"inspect", "k"});
    BOOST_TEST(table.says("k: held by the holder"));
    BOOST_TEST(table.line_with("mysql://127.0.0.1:").value_or("").find("mariadb ") != std::string::npos);
    BOOST_TEST(table.status() == 110);
    program json = reading({"inspect", "--json", "k"});
    const auto report = boost::json::parse(json.line_with("{").value_or("null"));
    BOOST_TEST(report.at("state").as_string() == "held");
    BOOST_TEST(report.at("engine").as_string() == "mariadb");
    BOOST_TEST(report.at("nodes").at(0).at("remaining_milliseconds").to_number<int>() > 0);
    const boost::json::value* const told = report.as_object().if_contains("waiting");
    BOOST_TEST((!told || told->is_null()));
    holder.signal(SIGTERM);
    BOOST_TEST(waiting.says("begun"));
    BOOST_TEST(watch.says("k: held by the next"));
}

BOOST_AUTO_TEST_CASE(break_takes_a_row_from_its_holder) {
    program holder =
        reading({"run", "--ttl", "2s", "k", "--", "/bin/sh", "-c", "echo begun; exec sleep 600"});
    BOOST_REQUIRE(holder.says("begun"));
    program unasked = reading({"break", "k"});
    BOOST_TEST(unasked.says("--yes"));
    BOOST_TEST(unasked.status() == 64);
    BOOST_TEST(held_rows() == "1");
    program broken = reading({"break", "--yes", "k"});
    BOOST_TEST(broken.says("k: removed from 1 of 1 node"));
    BOOST_TEST(broken.status() == 0);
    BOOST_TEST(holder.status() == 113); // which hears of the loss
    program again = reading({"break", "--yes", "k"});
    BOOST_TEST(again.says("k: free"));
    BOOST_TEST(again.status() == 118);
}

BOOST_AUTO_TEST_CASE(bench_counts_what_it_takes_and_gives_all_rows_back) {
    program tool = reading({"bench", "--processes", "2", "--callers", "8", "--keys", "20", "--count", "201",
                            "--json", "--quiet"});
    const auto report = boost::json::parse(tool.line_with("{\"plan\"").value_or("null"));
    BOOST_TEST(boost::json::value_to<std::uint64_t>(report.at("counts").at("grants")) == 201u);
    BOOST_TEST(report.at("nodes").as_array().size() == 1u);
    BOOST_TEST(report.at("faults").as_array().empty());
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(held_rows() == "0");
}

BOOST_AUTO_TEST_CASE(doctor_says_what_the_user_may_not_do) {
    BOOST_TEST(reading({"run", "k", "--", "true"}).status() == 0); // makes the table
    database.query("CREATE USER poor; GRANT SELECT, INSERT ON locks.redlock TO poor");
    const environment as_poor{"REDLOCK_NODES",
                              "mysql://poor@127.0.0.1:" + std::to_string(database.port()) + "/locks"};
    program tool = reading({"doctor"});
    BOOST_TEST(tool.says("GRANT UPDATE ON redlock"));
    BOOST_TEST(tool.says("GRANT DELETE ON redlock"));
    BOOST_TEST(tool.status() != 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
