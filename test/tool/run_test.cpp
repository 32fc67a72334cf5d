#include "support/child_process.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(run, tool_fixture)

BOOST_AUTO_TEST_CASE(the_status_of_the_command_is_ours) {
    BOOST_TEST(redlock_run({"k"}, "exit 0").status() == 0);
    BOOST_TEST(redlock_run({"k"}, "exit 7").status() == 7);
    BOOST_TEST(redlock_run({"k"}, "kill -KILL $$").status() == 128 + SIGKILL);
    BOOST_TEST(redlock({"run", "k", "--", "/nonexistent/command"}).status() == 127);
    BOOST_TEST(redlock({"run", "k", "--", "/etc/passwd"}).status() == 126);
    BOOST_TEST(is_free("k"));
}

BOOST_AUTO_TEST_CASE(the_lock_is_held_while_the_command_runs) {
    child_process run({REDLOCK_TOOL, "run", "k", "--ttl", "1h", "--", "cat"});
    run.write_line("what goes in comes out");
    BOOST_TEST(run.read_line(patience).value_or("") == "what goes in comes out");
    BOOST_TEST(nodes.holders("k") >= 3u);
    run.close_input();
    BOOST_TEST(run.wait(patience).value_or(-1) == 0);
    BOOST_TEST(is_free("k"));
}

BOOST_AUTO_TEST_CASE(arguments_reach_the_command_as_they_are) {
    program run = redlock({"run", "k", "--", "/bin/sh", "-c", "printf '<%s>' \"$@\"; echo", "sh", "", "--",
                           "a b", "--ttl", "[x,y]", "$HOME", "-h"});
    BOOST_TEST(run.line_with("").value_or("") == "<><--><a b><--ttl><[x,y]><$HOME><-h>");
    BOOST_TEST(run.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_key_may_be_anything) {
    program run = redlock_run({"[a,b]"}, "read line");
    BOOST_TEST(eventually([&] { return nodes.holders("[a,b]") == 5; }));
    run.kill();
}

BOOST_AUTO_TEST_CASE(the_fencing_token_is_in_the_environment) {
    program run =
        redlock_run({"k", "--fencing", "--label", ""}, "echo token $REDLOCK_FENCING_TOKEN; sleep 600");
    const auto line = run.line_with("token ").value_or("");
    BOOST_TEST(line.size() > 16u);
    BOOST_REQUIRE(eventually([&] { return nodes[0].exists("k"); }));
    const auto value = nodes[0].get("k").value_or("");
    BOOST_TEST(value.substr(value.find(':') + 1) == line.substr(6));
    run.kill();
    BOOST_TEST(redlock_run({"k"}, "echo \"none${REDLOCK_FENCING_TOKEN-}\"").says("none"));
}

BOOST_AUTO_TEST_CASE(each_refusal_has_a_status_of_its_own) {
    hold("k");
    BOOST_TEST(redlock_run({"k", "--try"}, "true").status() == 110);
    BOOST_TEST(redlock_run({"k", "--wait", "0"}, "true").status() == 110);
    BOOST_TEST(redlock_run({"k", "--wait", "100ms"}, "true").status() == 111);
    BOOST_TEST(redlock_run({}, "true").status() == 64);
    BOOST_TEST(redlock_run({"k", "--ttl", "soon"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"k", "--try", "--wait", "1s"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"k", "--ttl", "10s", "--grace", "5s"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"k", "--node", "http://localhost"}, "true").status() == 64);
    BOOST_TEST(redlock({"run", "k"}).status() == 64);
    BOOST_TEST(redlock({"run", "k", "true"}).status() == 64);
    stop_majority();
    BOOST_TEST(redlock_run({"free"}, "true").status() == 112);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_key_is_said) {
    program empty = redlock_run({""}, "true");
    BOOST_TEST(empty.says("a key must not be empty"));
    BOOST_TEST(empty.status() == 64);
    program fence = redlock_run({"stock:redlock-fence"}, "true");
    BOOST_TEST(fence.says(R"(a key must not end in ":redlock-fence", which is kept for fencing tokens)"));
    BOOST_TEST(fence.status() == 64);
    program prefixed = redlock_run({std::string(4000, 'k'), "--key-prefix", std::string(97, 'p')}, "true");
    BOOST_TEST(prefixed.says("at most 3999 bytes long, 4096 less the 97 of --key-prefix"));
    BOOST_TEST(prefixed.status() == 64);
}

BOOST_AUTO_TEST_CASE(a_refused_password_is_told_apart) {
    const node_set guarded(3, {.password = "secret"});
    std::vector<std::string> words{"run", "k"};
    for (const auto& uri : guarded.uris())
        words.insert(words.end(), {"--node", uri});
    words.insert(words.end(), {"--", "true"});
    BOOST_TEST(redlock(words).status() == 114);
}

BOOST_AUTO_TEST_CASE(one_waits_for_the_other) {
    program first = redlock_run({"k", "--ttl", "1h"}, "echo one; read line; echo two");
    BOOST_REQUIRE(first.says("one"));
    program second = redlock_run({"k", "--wait", "1m"}, "echo three");
    BOOST_TEST(redlock_run({"k", "--try"}, "true").status() == 110);
    // Its input ends, so it goes on.
    first.signal(SIGTERM);
    BOOST_TEST(first.status() == 128 + SIGTERM);
    BOOST_TEST(second.says("three"));
    BOOST_TEST(second.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_wait_can_be_called_off) {
    hold("k");
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        program run = redlock_run({"k"}, "echo never");
        BOOST_TEST(eventually([&] { return nodes[0].info("connected_clients") != "1"; }));
        run.signal(number);
        BOOST_TEST(!run.says("never"));
        BOOST_TEST(run.status() == 128 + number);
    }
    BOOST_TEST(nodes[0].get("k").value_or("") == "somebody");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
