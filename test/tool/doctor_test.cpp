#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

namespace redlock::test {
namespace {

/// Servers that nothing is to be said against.
struct doctor_test_fixture {
    program doctor(std::vector<std::string> words, const std::vector<std::string>& addresses) {
        words.insert(words.begin(), {"doctor", "--node-timeout", "2s"});
        for (const std::string& address : addresses)
            words.insert(words.end(), {"-n", address});
        return redlock(std::move(words));
    }

    node_set nodes{3, {.directives = {"notify-keyspace-events KEA"}, .persistent = true}};
};

BOOST_FIXTURE_TEST_SUITE(doctor, doctor_test_fixture)

BOOST_AUTO_TEST_CASE(a_fit_set) {
    program tool = doctor({}, nodes.uris());
    BOOST_TEST(tool.says("round trip"));
    for (auto& node : nodes) {
        const std::string line = tool.line_with(node.uri()).value_or("");
        const std::string server = fmt::format("{} {} ", node.product(), node.version());
        for (const std::string& word : {std::string("master"), server, std::string("log, fsync always"),
                                        std::string("no limit"), std::string("events")})
            BOOST_TEST(line.find(word) != std::string::npos, line);
        BOOST_TEST(line.find('\x1b') == std::string::npos);
    }
    // Not behind any finding.
    BOOST_TEST(tool.line_with("").value_or("none").empty());
    BOOST_TEST(tool.line_with("").value_or("") == "These nodes are fit to hold locks.");
    BOOST_TEST(tool.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_set_with_a_replica_a_dead_node_and_one_server_twice) {
    redis_server replica({.directives = {fmt::format("replicaof 127.0.0.1 {}", nodes[0].port())}});
    BOOST_REQUIRE(eventually([&] { return replica.info("master_link_status") == "up"; }));
    nodes[2].kill();
    program tool = doctor({}, {nodes[0].uri(), nodes[0].unix_uri(), replica.uri(), nodes[2].uri()});
    BOOST_TEST(tool.says("node is not connected"));
    BOOST_TEST(
        tool.says(fmt::format("It is the same server as {}/0, and would vote twice.", nodes[0].uri())));
    BOOST_TEST(tool.says(fmt::format("It is a replica of {}/0,", nodes[0].uri())));
    BOOST_TEST(tool.says("cannot be reached"));
    BOOST_TEST(tool.says("Only 1 of 4 nodes can vote"));
    BOOST_TEST(tool.says("4 bear the loss of 1, as 3 do"));
    BOOST_TEST(tool.says("These nodes are not fit to hold locks."));
    BOOST_TEST(tool.status() == 117);
}

BOOST_AUTO_TEST_CASE(a_user_with_few_rights_and_no_secret_in_sight) {
    for (auto& node : nodes)
        node.command({"ACL", "SETUSER", "worker", "on", ">hush", "~lock:*", "resetchannels", "-@all", "+set",
                      "+get", "+pttl", "+pexpire", "+eval", "+evalsha", "+ping"});
    std::vector<std::string> addresses;
    for (auto& node : nodes)
        addresses.push_back(node.uri("worker", "hush"));
    program tool = doctor({"--key-prefix", "lock:"}, addresses);
    std::string said;
    for (auto line = tool.line_with(""); line; line = tool.line_with(""))
        said += *line + '\n';
    BOOST_TEST(said.find("hush") == std::string::npos);
    BOOST_TEST(said.find("fault  all nodes") != std::string::npos, said);
    BOOST_TEST(said.find("the user lacks +del.") != std::string::npos, said);
    BOOST_TEST(said.find("does not tell whether it keeps its keys") != std::string::npos, said);
    BOOST_TEST(said.find("the user lacks +pubsub|numsub +subscribe +unsubscribe.") != std::string::npos,
               said);
    BOOST_TEST(said.find("unknown") != std::string::npos, said);
    BOOST_TEST(tool.status() == 117);
}

BOOST_AUTO_TEST_CASE(json_says_the_same) {
    program tool = doctor({"--json"}, nodes.uris());
    const std::string text = tool.line_with("").value_or("");
    BOOST_TEST(
        text.starts_with(R"({"fit":true,"nodes":[{"node":")" + nodes[0].uri() + R"(/0","reachable":true,)"));
    for (const char* part :
         {R"("role":"master")", R"("append_fsync":"always")", R"("wakeup":"keyspace_events")",
          R"("missing_rights":[])", R"("engine":"redis")", R"("findings":[]})"})
        BOOST_TEST(text.find(part) != std::string::npos, text);
    BOOST_TEST(tool.status() == 0);
}

BOOST_AUTO_TEST_CASE(nodes_that_were_all_started_lately) {
    program tool = doctor({"--json", "--restart-guard", "1d"}, nodes.uris());
    const std::string text = tool.line_with("").value_or("");
    for (const char* part :
         {R"("fit":false)", "stays out until that is restart_guard (86400000 ms)", R"("topic":"majority")",
          R"({"severity":"warning","topic":"quarantined","nodes":[)"})
        BOOST_TEST(text.find(part) != std::string::npos, text);
    BOOST_TEST(tool.status() == 117);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
