#include "support/process_table.hpp"
#include "terminal.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace redlock::test {
namespace {

struct terminal_fixture : tool_fixture {
    environment kind{"TERM", "xterm"};
};

std::vector<std::string> on_shell(const std::string& script) {
    return {REDLOCK_TOOL, "run", "k", "--", "/bin/sh", "-c", script};
}

BOOST_FIXTURE_TEST_SUITE(terminal_suite, terminal_fixture)

BOOST_AUTO_TEST_CASE(the_command_has_the_terminal) {
    terminal tty(on_shell("echo pid $$; read line; echo \"read <$line>\"; exit 4"));
    BOOST_TEST(tty.shows("pid "));
    BOOST_TEST(eventually([&] { return tty.foreground() != tty.pid(); }));
    tty.type("a line\n");
    BOOST_TEST(tty.shows("read <a line>"));
    BOOST_TEST(tty.status().value_or(-1) == 4);
}

BOOST_AUTO_TEST_CASE(interrupting_interrupts_the_command) {
    terminal tty(on_shell("trap 'echo interrupted; exit 9' INT; echo ready; while :; do sleep 0.02; done"));
    BOOST_TEST(tty.shows("ready"));
    tty.type("\x03");
    BOOST_TEST(tty.shows("interrupted"));
    BOOST_TEST(tty.status().value_or(-1) == 9);
    BOOST_TEST(is_free("k"));
}

BOOST_AUTO_TEST_CASE(interrupting_a_wait_ends_it) {
    hold("k");
    terminal tty(on_shell("echo never"));
    BOOST_TEST(eventually([&] { return nodes[0].info("connected_clients") != "1"; }));
    tty.type("\x03");
    BOOST_TEST(tty.status().value_or(-1) == 130);
}

BOOST_AUTO_TEST_CASE(suspending_gives_the_terminal_back_and_keeps_the_lock) {
    terminal tty(on_shell("echo ready; while read line; do echo \"read <$line>\"; done"));
    BOOST_TEST(tty.shows("ready"));
    const int command = tty.foreground();
    BOOST_TEST(command != tty.pid());
    tty.type("\x1a");
    BOOST_REQUIRE(tty.has_stopped());
    BOOST_TEST(tty.foreground() == tty.pid());
    BOOST_TEST(state_of(command) == 'T');
    BOOST_TEST(nodes.holders("k") >= 3u);
    ::kill(tty.pid(), SIGCONT);
    BOOST_TEST(eventually([&] { return tty.foreground() == command; }));
    tty.type("after that\n");
    BOOST_TEST(tty.shows("read <after that>"));
    tty.type("\x04");
    BOOST_TEST(tty.status().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_command_behind_a_pipe_gets_the_terminal_when_it_asks_for_it) {
    const std::string line =
        "true | " REDLOCK_TOOL " run k -- sh -c 'read line </dev/tty; echo \"read <$line>\"'";
    terminal tty({"/bin/sh", "-c", line});
    tty.type("typed\n");
    BOOST_TEST(tty.shows("read <typed>"));
    BOOST_TEST(tty.status().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(colours_are_for_terminals) {
    hold("k");
    terminal coloured({REDLOCK_TOOL, "inspect", "k"});
    BOOST_TEST(coloured.shows("\x1b["));
    BOOST_TEST(coloured.shows("somebody"));
    BOOST_TEST(coloured.status().value_or(-1) == 110);
    BOOST_TEST(redlock({"inspect", "k"}).line_with("somebody").value_or("\x1b").find('\x1b') ==
               std::string::npos);

    const environment unwanted("NO_COLOR", "1");
    terminal plain({REDLOCK_TOOL, "inspect", "k"});
    BOOST_TEST(plain.shows("fence"));
    BOOST_TEST(plain.screen().find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_takes_longer_than_a_second_says_so_and_leaves_nothing_of_it) {
    std::ofstream(folder.path() / "redlock/config") << "node_timeout = 30s\n";
    hold("k");
    nodes[0].stop();
    for (const char* const command : {"inspect k", "list", "doctor", "break --yes k"}) {
        terminal tty(
            {"/bin/sh", "-c", std::string(REDLOCK_TOOL " ") + command + " >/dev/null; echo 'and ' then"});
        BOOST_TEST(tty.shows("4 of 5 nodes ready, 1 s"), command);
        nodes[0].resume();
        BOOST_TEST(tty.shows("\r\x1b[Kand  then"), command);
        nodes[0].stop();
    }
    nodes[0].resume();
    terminal elsewhere({"/bin/sh", "-c",
                        REDLOCK_TOOL " list 2>" + (folder.path() / "said").string() + "; echo 'and ' then"});
    BOOST_TEST(elsewhere.shows("and  then"));
    BOOST_TEST(std::filesystem::file_size(folder.path() / "said") == 0u);
}

BOOST_AUTO_TEST_CASE(servers_that_are_long_in_starting_are_waited_for_in_sight) {
    const auto slow = folder.path() / "slow-server";
    const auto may_begin = folder.path() / "may-begin";
    std::ofstream(slow) << "#!/bin/sh\nuntil [ -e " << may_begin.string()
                        << " ]; do sleep 0.05; done\nexec redis-server \"$@\"\n";
    std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
    terminal tty({REDLOCK_TOOL, "local", "--nodes", "1", "--server", slow, "--", "echo", "it", "runs"});
    BOOST_TEST(tty.shows("redlock: starting redis, 1 s"));
    std::ofstream(may_begin).put('\n');
    BOOST_TEST(tty.shows("\r\x1b[Kit runs"));
    BOOST_TEST(tty.status().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_watch_on_a_terminal_draws_over_what_it_drew) {
    terminal tty({REDLOCK_TOOL, "watch", "--interval", "20ms", "k"});
    BOOST_TEST(tty.shows("hand-offs"));
    BOOST_TEST(tty.shows("free"));
    BOOST_TEST(tty.shows("\x1b[2A"));
    hold("k");
    BOOST_TEST(tty.shows("somebody"));
    tty.type("\x03");
    BOOST_TEST(tty.status().value_or(-1) == 130);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
