// Each command on a real etcd cluster.

#include "support/etcd_server.hpp"
#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

namespace redlock::test {
namespace {

/// A cluster that is named in the environment for the tool, which is patient with it.
struct etcd_commands_fixture {
    static program reading(std::vector<std::string> words) {
        words.insert(words.begin() + 1, {"--node-timeout", "20s"});
        return redlock(std::move(words));
    }
    /// Holds the key until it is ended.
    static program holding(std::vector<std::string> options) {
        options.insert(options.begin(), {"--node-timeout", "20s"});
        return redlock_run(std::move(options), "echo begun $REDLOCK_FENCING_TOKEN; sleep 600");
    }
    std::size_t keys() { return cluster.keys("redlock/").size(); }
    bool becomes_free() {
        return eventually([&] { return keys() == 0; });
    }

    etcd_server cluster;
    environment named{"REDLOCK_NODES", cluster.uri()};
};

BOOST_FIXTURE_TEST_SUITE(etcd_commands, etcd_commands_fixture)

BOOST_AUTO_TEST_CASE(run_holds_the_key_while_its_command_runs) {
    program first = reading(
        {"run", "--fencing", "k", "--", "/bin/sh", "-c", "echo token $REDLOCK_FENCING_TOKEN; exit 7"});
    const auto tokens = numbers_in(first.line_with("token "));
    BOOST_TEST(first.status() == 7);
    BOOST_TEST(keys() == 0u);
    program second = holding({"--fencing", "k"});
    const auto later = numbers_in(second.line_with("begun "));
    BOOST_REQUIRE((tokens.size() == 1u && later.size() == 1u));
    BOOST_TEST(later[0] > tokens[0]);
    BOOST_TEST(keys() == 1u);
    BOOST_TEST(reading({"run", "--try", "k", "--", "true"}).status() == 110);
    second.signal(SIGTERM);
    BOOST_TEST(second.status() == 143);
    BOOST_TEST(becomes_free());
}

BOOST_AUTO_TEST_CASE(inspect_watch_and_list_show_who_has_a_key_and_who_waits) {
    program watch = reading({"watch", "--interval", "20ms", "k"});
    BOOST_TEST(watch.says("k: free"));
    program holder = holding({"--label", "the holder", "k"});
    BOOST_REQUIRE(holder.says("begun"));
    BOOST_TEST(watch.says("k: held by the holder"));
    program waiting = holding({"k"});
    BOOST_TEST(watch.says("1 waiting"));

    program table = reading({"inspect", "k"});
    BOOST_TEST(table.says("k: held by the holder"));
    const std::string line = table.line_with("etcd://127.0.0.1:").value_or("");
    BOOST_TEST(line.find("etcd " + cluster.version()) != std::string::npos, line);
    BOOST_TEST(table.status() == 110);
    program json = reading({"inspect", "--json", "k"});
    const auto report = boost::json::parse(json.line_with("{").value_or("null"));
    BOOST_TEST(report.at("state").as_string() == "held");
    BOOST_TEST(report.at("waiting").to_number<int>() == 1);
    BOOST_TEST(report.at("engine").as_string() == "etcd");
    BOOST_TEST(report.at("nodes").at(0).at("remaining_milliseconds").to_number<int>() > 0);

    program list = reading({"list", "--json"});
    BOOST_TEST(list.says(R"({"keys":["k"],"more":false})"));
    program top = reading({"top", "--looks", "1", "--json"});
    BOOST_TEST(top.line_with(R"("key":"k")").value_or("").find(R"("engine":"etcd")") != std::string::npos);
    holder.signal(SIGTERM);
    BOOST_TEST(waiting.says("begun"));
    BOOST_TEST(watch.says("0 waiting"));
}

BOOST_AUTO_TEST_CASE(who_reads_is_shown_and_who_waits_to_write) {
    program watch = reading({"watch", "--interval", "20ms", "k"});
    BOOST_TEST(watch.says("k: free"));
    program one = holding({"--read", "k"}), two = holding({"--read", "k"});
    BOOST_REQUIRE((one.says("begun") && two.says("begun")));
    BOOST_TEST(watch.says("read by 2"));
    program table = reading({"inspect", "k"});
    BOOST_TEST(table.line_with("").value_or("") == "k: read by 2");
    BOOST_TEST(table.status() == 110);
    program writer = holding({"--write", "k"});
    BOOST_TEST(watch.says("1 waiting"));
    program broken = reading({"break", "--yes", "k"});
    BOOST_TEST(broken.says("k: removed from 1 of 1 node"));
    BOOST_TEST(broken.status() == 0);
    BOOST_TEST(writer.says("begun"));
    BOOST_TEST(watch.says("k: held by"));
}

BOOST_AUTO_TEST_CASE(elect_leads_and_leader_says_who_does) {
    const auto electing = [](const std::string& value) {
        return reading({"elect", "k", "--value", value, "--ttl", "5s", "--", "/bin/sh", "-c",
                        "echo term $REDLOCK_TERM; exec sleep 600"});
    };
    program follows = reading({"leader", "--follow", "k"});
    BOOST_TEST(follows.says("nobody leads"));
    program first = electing("10.0.0.1:80");
    const auto term = numbers_in(first.line_with("term "));
    BOOST_REQUIRE(term.size() == 1u);
    BOOST_TEST(follows.says("10.0.0.1:80 leads in term " + std::to_string(term[0])));
    program leader = reading({"leader", "--json", "k"});
    BOOST_TEST(leader.line_with("").value_or("") == R"({"name":"k","leader":"10.0.0.1:80","term":)" +
                                                        std::to_string(term[0]) + R"(,"version":1})");
    program shown = reading({"inspect", "k"});
    BOOST_TEST(shown.says("who leads in term " + std::to_string(term[0]) + " as 10.0.0.1:80"));
    program list = reading({"list", "--json"});
    BOOST_TEST(list.says(R"({"keys":["k"],"more":false})"));
    program second = electing("two");
    BOOST_REQUIRE(eventually([&] { return keys() == 2; }));
    program broken = reading({"break", "--yes", "k"});
    BOOST_TEST(broken.says("k: removed from 1 of 1 node"));
    BOOST_TEST(second.line_with("term ").has_value());
    BOOST_TEST(first.status() == 113);
    BOOST_TEST(follows.says("two leads in term "));
    second.signal(SIGTERM);
    BOOST_TEST(second.status() == 143);
    BOOST_TEST(follows.says("nobody leads"));
    BOOST_TEST(becomes_free());
    BOOST_TEST(cluster.keys("redlock-leader").empty());
    BOOST_TEST(reading({"leader", "k"}).status() == 119);
    follows.kill();
}

BOOST_AUTO_TEST_CASE(break_takes_a_key_from_its_holder) {
    program holder =
        reading({"run", "--ttl", "2s", "k", "--", "/bin/sh", "-c", "echo begun; exec sleep 600"});
    BOOST_REQUIRE(holder.says("begun"));
    program unasked = reading({"break", "k"});
    BOOST_TEST(unasked.says("--yes"));
    BOOST_TEST(unasked.status() == 64);
    BOOST_TEST(keys() == 1u);
    program broken = reading({"break", "--yes", "k"});
    BOOST_TEST(broken.says("k: removed from 1 of 1 node"));
    BOOST_TEST(broken.status() == 0);
    BOOST_TEST(holder.status() == 113); // which hears of the loss
    program again = reading({"break", "--yes", "k"});
    BOOST_TEST(again.says("k: free"));
    BOOST_TEST(again.status() == 118);
}

BOOST_AUTO_TEST_CASE(doctor_examines_the_cluster) {
    // One that may end leases early is not fit, and that is all that there is to say against it.
    const bool is_old = cluster.version().starts_with("3.4.");
    program table = reading({"doctor"});
    BOOST_TEST(table.says("etcd " + cluster.version()));
    if (is_old) BOOST_TEST(table.says("It runs etcd " + cluster.version()));
    BOOST_TEST(table.says(is_old ? "These nodes are not fit to hold locks." : "fit to hold locks."));
    BOOST_TEST(table.status() == (is_old ? 117 : 0));
    program json = reading({"doctor", "--json"});
    const auto report = boost::json::parse(json.line_with("{").value_or("null"));
    BOOST_TEST(report.at("engine").as_string() == "etcd");
    cluster.kill(0);
    program away = redlock({"doctor", "--node-timeout", "500ms"});
    BOOST_TEST(away.says("127.0.0.1:" + std::to_string(cluster.port())));
    BOOST_TEST(away.says("Only 0 of 1 nodes can vote"));
    BOOST_TEST(away.status() == 117);
}

BOOST_AUTO_TEST_CASE(bench_counts_what_it_takes_and_gives_all_back) {
    program tool = reading({"bench", "--processes", "2", "--callers", "8", "--keys", "20", "--count", "201",
                            "--json", "--quiet"});
    const auto report = boost::json::parse(tool.line_with("{\"plan\"").value_or("null"));
    BOOST_TEST(boost::json::value_to<std::uint64_t>(report.at("counts").at("grants")) == 201u);
    BOOST_TEST(report.at("nodes").as_array().size() == 1u);
    BOOST_TEST(report.at("faults").as_array().empty());
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(keys() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
