#include "support/child_process.hpp"
#include "support/process_table.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(run_signal, tool_fixture)

BOOST_AUTO_TEST_CASE(signals_are_passed_on) {
    program run =
        redlock_run({"k"}, "ulimit -c 0; for s in INT TERM HUP QUIT USR1 USR2 WINCH; do "
                           "trap \"echo got $s\" $s; done; echo ready; while :; do sleep 0.02; done");
    BOOST_REQUIRE(run.says("ready"));
    for (const auto& [number, name] :
         {std::pair(SIGINT, "INT"), std::pair(SIGTERM, "TERM"), std::pair(SIGHUP, "HUP"),
          std::pair(SIGQUIT, "QUIT"), std::pair(SIGUSR1, "USR1"), std::pair(SIGUSR2, "USR2"),
          std::pair(SIGWINCH, "WINCH")}) {
        run.signal(number);
        BOOST_TEST(run.says(std::string("got ") + name));
    }
    BOOST_TEST(nodes.holders("k") >= 3u);
    run.kill();
    BOOST_TEST(eventually([&] { return is_free("k"); }));
}

BOOST_AUTO_TEST_CASE(a_signal_that_ends_the_command_is_in_the_status) {
    for (const int number : {SIGINT, SIGTERM, SIGUSR1}) {
        program run = redlock_run({"k"}, "echo ready; read line; sleep 600");
        BOOST_REQUIRE(run.says("ready"));
        run.signal(number);
        BOOST_TEST(run.status() == 128 + number);
        BOOST_TEST(is_free("k"));
    }
}

BOOST_AUTO_TEST_CASE(signals_reach_the_whole_group) {
    program run = redlock_run({"k"}, "sleep 600 & echo pids $$ $!; wait");
    const auto pids = numbers_in(run.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 2u);
    run.signal(SIGTERM);
    BOOST_TEST(run.status() == 128 + SIGTERM);
    BOOST_TEST(eventually([&] { return all_gone(pids); }));
}

BOOST_AUTO_TEST_CASE(a_stopped_command_keeps_the_lock) {
    child_process run(
        {REDLOCK_TOOL, "run", "k", "--ttl", "3s", "--", "/bin/sh", "-c", "echo pid $$; exec cat"});
    const auto pids = numbers_in(run.read_line(patience));
    BOOST_REQUIRE(pids.size() == 1u);
    ::kill(run.pid(), SIGTSTP);
    BOOST_TEST(eventually([&] { return state_of(pids[0]) == 'T' && state_of(run.pid()) == 'T'; }));
    // For longer than the ttl.
    std::size_t fewest = 5;
    eventually(std::chrono::milliseconds(3500), [&] {
        fewest = std::min(fewest, nodes.holders("k"));
        return false;
    });
    BOOST_TEST(fewest >= 3u);
    BOOST_TEST(state_of(pids[0]) == 'T');
    ::kill(run.pid(), SIGCONT);
    run.write_line("on it goes");
    BOOST_TEST(run.read_line(patience).value_or("") == "on it goes");
    run.close_input();
    BOOST_TEST(run.wait(patience).value_or(-1) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
