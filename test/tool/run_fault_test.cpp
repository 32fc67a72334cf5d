#include "support/process_table.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <csignal>

namespace redlock::test {
namespace {

/// Says when it is told to end, and ends.
constexpr const char* obedient = "trap 'echo told; exit 0' TERM; echo pids $$; while :; do sleep 0.02; done";

/// Does not hear SIGTERM, has a child in its group and one that has left it.
constexpr const char* obstinate = "trap '' TERM HUP INT; sleep 600 & a=$!; setsid sleep 600 & "
                                  "echo pids $$ $a $!; while :; do sleep 0.02; done";

BOOST_FIXTURE_TEST_SUITE(run_fault, tool_fixture)

BOOST_AUTO_TEST_CASE(without_a_majority_the_command_is_told_while_nobody_else_can_have_the_key) {
    // It looks by itself: when it has ended the key is given back.
    const auto look = fmt::format("redis-cli -p {} pttl k", nodes[3].port());
    program run = redlock_run({"k", "--ttl", "5s", "--grace", "2s"},
                              "trap 'echo told $(" + look +
                                  "); exit 0' TERM; echo ready; while :; do sleep 0.02; done");
    BOOST_REQUIRE(run.says("ready"));
    stop_majority();
    BOOST_TEST(run.says("lost k"));
    const auto left = numbers_in(run.line_with("told"));
    BOOST_TEST((left.size() == 1 && left[0] > 0));
    BOOST_TEST(run.status() == 113);
}

BOOST_AUTO_TEST_CASE(a_command_that_does_not_obey_is_killed_with_all_that_it_began) {
    program run = redlock_run({"k", "--ttl", "2s", "--grace", "100ms"}, obstinate);
    const auto pids = numbers_in(run.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 3u);
    stop_majority();
    BOOST_TEST(run.status() == 113);
    BOOST_TEST(all_gone(pids));
}

BOOST_AUTO_TEST_CASE(a_key_that_was_removed_ends_the_command) {
    program run = redlock_run({"k", "--ttl", "2s"}, obedient);
    BOOST_REQUIRE(run.says("pids"));
    for (auto& node : nodes)
        node.command({"SET", "k", "somebody else", "PX", "600000"});
    BOOST_TEST(run.says("told"));
    BOOST_TEST(run.status() == 113);
    BOOST_TEST(nodes[0].get("k").value_or("") == "somebody else");
}

BOOST_AUTO_TEST_CASE(a_lock_found_lost_in_the_end_is_told) {
    program run =
        redlock_run({"k", "--ttl", "1h"}, "echo ready; trap 'exit 0' USR1; while :; do sleep 0.02; done");
    BOOST_REQUIRE(run.says("ready"));
    for (auto& node : nodes)
        node.command({"DEL", "k"});
    run.signal(SIGUSR1);
    BOOST_TEST(run.status() == 113);
}

BOOST_AUTO_TEST_CASE(killing_redlock_kills_the_command_and_gives_the_lock_back) {
    program run =
        redlock_run({"k", "--ttl", "1h"}, "trap '' TERM HUP INT; sleep 600 & echo pids $$ $!; wait");
    const auto pids = numbers_in(run.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 2u);
    const int partner = partner_of(run.pid());
    BOOST_TEST(nodes.holders("k") >= 3u);
    run.kill();
    BOOST_TEST(eventually([&] { return has_ended(pids[0]) && has_ended(pids[1]); }));
    BOOST_TEST(eventually([&] { return is_free("k"); }));
    BOOST_TEST(eventually([&] { return has_ended(partner); }));
}

BOOST_AUTO_TEST_CASE(killing_redlock_while_it_waits_leaves_nothing) {
    hold("k");
    program run = redlock_run({"k"}, "echo never");
    BOOST_TEST(eventually([&] { return nodes[0].info("connected_clients") != "1"; }));
    const int partner = partner_of(run.pid());
    run.kill();
    BOOST_TEST(eventually([&] { return has_ended(partner); }));
    BOOST_TEST(nodes[0].get("k").value_or("") == "somebody");
}

BOOST_AUTO_TEST_CASE(killing_the_partner_ends_the_command) {
    program run = redlock_run({"k", "--ttl", "10s"}, obedient);
    const auto pids = numbers_in(run.line_with("pids"));
    ::kill(partner_of(run.pid()), SIGKILL);
    BOOST_TEST(run.says("told"));
    BOOST_TEST(run.status() == 113);
    BOOST_TEST(all_gone(pids));
}

BOOST_AUTO_TEST_CASE(a_partner_that_was_stopped_cannot_keep_the_command_beyond_the_lease) {
    program run = redlock_run({"k", "--ttl", "3s", "--grace", "100ms", "--lock-delay", "15s"}, obstinate);
    const auto pids = numbers_in(run.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 3u);
    // A majority was enough to begin, and a partner that is stopped gives the key to no other node.
    BOOST_REQUIRE(eventually([&] { return nodes.holders("k") == 5u; }));
    ::kill(partner_of(run.pid()), SIGSTOP);
    BOOST_TEST(eventually([&] { return has_ended(pids[0]); }));
    BOOST_TEST(nodes.holders("k") == 5u);
    BOOST_TEST(run.status() == 113);
    BOOST_TEST(all_gone(pids));
}

BOOST_AUTO_TEST_CASE(killing_both_at_once_kills_the_command) {
    program run =
        redlock_run({"k", "--ttl", "2s"}, "trap '' TERM; echo pids $$; while :; do sleep 0.02; done");
    const auto pids = numbers_in(run.line_with("pids"));
    const int partner = partner_of(run.pid());
    // So that it cannot do anything in between.
    ::kill(partner, SIGSTOP);
    run.kill();
    ::kill(partner, SIGKILL);
    BOOST_TEST(eventually([&] { return has_ended(pids[0]); }));
}

BOOST_AUTO_TEST_CASE(a_stopped_redlock_does_not_keep_the_command_beyond_the_lease) {
    program run = redlock_run({"k", "--ttl", "2s", "--grace", "100ms"},
                              "trap '' TERM; echo pids $$; while :; do sleep 0.02; done");
    const auto pids = numbers_in(run.line_with("pids"));
    ::kill(run.pid(), SIGSTOP);
    stop_majority();
    BOOST_TEST(eventually([&] { return has_ended(pids[0]); }));
    BOOST_TEST(state_of(run.pid()) == 'T');
    ::kill(run.pid(), SIGCONT);
    BOOST_TEST(run.status() == 113);
}

BOOST_AUTO_TEST_CASE(nodes_that_go_and_come_back_are_survived) {
    program run =
        redlock_run({"k", "--ttl", "5s"}, "trap 'exit 5' USR1; echo ready; while :; do sleep 0.02; done");
    BOOST_REQUIRE(run.says("ready"));
    nodes[0].kill();
    nodes[1].stop();
    nodes[0].restart();
    nodes[1].resume();
    // Renewal puts the key back.
    BOOST_TEST(eventually([&] { return nodes[0].exists("k"); }));
    run.signal(SIGUSR1);
    BOOST_TEST(run.status() == 5);
    BOOST_TEST(is_free("k"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
