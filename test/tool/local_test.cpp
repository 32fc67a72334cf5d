#include "support/process_table.hpp"
#include "support/temporary_folder.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace redlock::test {
namespace {

/// A folder of its own for temporary files, so that what is left behind can be seen.
struct local_fixture {
    bool folder_is_empty() const { return std::filesystem::is_empty(folder.path()); }

    temporary_folder folder;
    environment temporary{"TMPDIR", folder.path()};
};

/// Tells the processes of the nodes, then waits to be ended.
constexpr const char* show_nodes =
    "for n in $(echo $REDLOCK_NODES | tr , ' '); do p=$p\" $(redis-cli -u $n info server | "
    "sed -n 's/\\r//; s/process_id://p')\"; done; echo pids $$ $p; "
    "while :; do sleep 0.02; done";

program redlock_local(std::vector<std::string> options, const std::string& script) {
    options.insert(options.begin(), "local");
    options.insert(options.end(), {"--", "/bin/sh", "-c", script});
    return redlock(std::move(options));
}

BOOST_FIXTURE_TEST_SUITE(local, local_fixture)

BOOST_AUTO_TEST_CASE(a_command_gets_nodes_that_are_fit) {
    program local =
        redlock({"local", "--", REDLOCK_TOOL, "run", "k", "--fencing", "--", REDLOCK_TOOL, "inspect", "k"});
    BOOST_TEST(local.says("k: held by"));
    BOOST_TEST(local.says("redis://127.0.0.1:"));
    BOOST_TEST(local.status() == 110);
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_CASE(the_servers_are_set_up_for_locks) {
    const std::string ask = "redis-cli -u $REDLOCK_NODES config get ";
    program local = redlock_local({"--nodes", "1", "--directive", "timeout 77"},
                                  ask + "maxmemory-policy; " + ask + "appendonly; " + ask + "save; " + ask +
                                      "bind; " + ask + "notify-keyspace-events; " + ask + "timeout");
    BOOST_TEST(local.says("noeviction"));
    BOOST_TEST(local.says("no"));
    BOOST_TEST(local.line_with("save").has_value());
    BOOST_TEST(local.line_with("").value_or("?") == "");
    BOOST_TEST(local.says("127.0.0.1"));
    BOOST_TEST(local.says("g"));
    BOOST_TEST(local.says("77"));
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_CASE(the_folder_may_have_any_name) {
    const auto place = folder.path() / "a blank, a \"quote\" and a \\";
    std::filesystem::create_directory(place);
    const environment elsewhere("TMPDIR", place);
    program local = redlock_local({"--nodes", "1"}, "echo begun");
    BOOST_TEST(local.says("begun"));
    BOOST_TEST(local.status() == 0);
    BOOST_TEST(std::filesystem::is_empty(place));
}

// What it sends fills the buffer that it is read into to the last byte.
BOOST_AUTO_TEST_CASE(a_server_may_answer_at_length) {
    const auto server = folder.path() / "server";
    std::ofstream(server) << R"(#!/usr/bin/env python3
import re, socket, sys
path = re.search('^unixsocket "?([^"\n]*)', open(sys.argv[1]).read(), re.M).group(1)
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
answers = [b"-LOADING " + 200 * b"x" + b"\r\n", b"-NOAUTH " + 200 * b"x" + b"\r\n"]
while True:
    connection = listener.accept()[0]
    connection.recv(100)
    connection.sendall(answers.pop(0) if len(answers) > 1 else answers[0])
    connection.close()
)";
    std::filesystem::permissions(server, std::filesystem::perms::owner_all);
    program local = redlock_local({"--nodes", "1", "--server", server}, "echo begun");
    BOOST_TEST(local.says("begun"));
    BOOST_TEST(local.status() == 0);
}

BOOST_AUTO_TEST_CASE(the_status_of_the_command_is_ours) {
    BOOST_TEST(redlock_local({"--nodes", "1"}, "exit 9").status() == 9);
    BOOST_TEST(redlock({"local", "--nodes", "1", "--", "/nonexistent/command"}).status() == 127);
    BOOST_TEST(redlock({"local", "--nodes", "0"}).status() == 64);
    BOOST_TEST(redlock({"local", "--server", "/nonexistent/server"}).status() == 115);
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_named_with_its_package) {
    const environment nowhere("PATH", folder.path());
    program local = redlock({"local"});
    BOOST_TEST(
        local.says("there is no program redis-server, which --engine redis runs; on Debian it is in the "
                   "package redis-server"));
    BOOST_TEST(local.status() == 115);
    program valkey = redlock({"local", "--engine", "valkey"});
    BOOST_TEST(valkey.says("in the package valkey-server"));
    BOOST_TEST(valkey.status() == 115);
    program other = redlock({"local", "--engine", "oracle"});
    BOOST_TEST(other.says("--engine wants one of redis, valkey, postgresql, mariadb, etcd, zookeeper"));
    BOOST_TEST(other.status() == 64);
}

// As any other word of a command line.
BOOST_AUTO_TEST_CASE(a_server_may_be_named_from_where_the_user_is) {
    const auto here = std::filesystem::current_path();
    std::filesystem::create_symlink("/bin/false", folder.path() / "server");
    std::filesystem::current_path(folder.path());
    program local = redlock({"local", "--nodes", "1", "--server", "./server"});
    std::filesystem::current_path(here);
    BOOST_TEST(local.says("a server does not start: it ended without a word"));
    BOOST_TEST(local.status() == 115);
    std::filesystem::remove(folder.path() / "server");
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_CASE(without_a_command_it_stays_until_it_is_ended) {
    for (const int number : {SIGINT, SIGTERM}) {
        program local = redlock({"local", "--nodes", "3"});
        const auto line = local.line_with("export REDLOCK_NODES=redis://127.0.0.1:");
        BOOST_REQUIRE(line.has_value());
        const auto servers = children_of(partner_of(local.pid()));
        BOOST_TEST(servers.size() == 3u);
        local.signal(number);
        BOOST_TEST(local.status() == 0);
        BOOST_TEST(all_gone(servers));
        BOOST_TEST(folder_is_empty());
    }
}

BOOST_AUTO_TEST_CASE(a_server_can_be_ended_alone) {
    program local = redlock_local({"--nodes", "3"}, show_nodes);
    const auto pids = numbers_in(local.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 4u);
    ::kill(pids[1], SIGTERM);
    BOOST_TEST(eventually([&] { return has_ended(pids[1]); }));
    BOOST_TEST(!has_ended(pids[0]));
    BOOST_TEST(!has_ended(pids[2]));
}

BOOST_AUTO_TEST_CASE(nothing_is_left_when_it_is_killed) {
    program local = redlock_local({"--nodes", "3"}, show_nodes);
    const auto pids = numbers_in(local.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 4u);
    local.kill();
    for (const int pid : pids)
        BOOST_TEST(eventually([&] { return has_ended(pid); }));
    BOOST_TEST(eventually([&] { return folder_is_empty(); }));
}

BOOST_AUTO_TEST_CASE(nothing_is_left_when_its_partner_is_killed) {
    program local = redlock_local({"--nodes", "3"}, show_nodes);
    const auto pids = numbers_in(local.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 4u);
    ::kill(partner_of(local.pid()), SIGKILL);
    BOOST_TEST(local.status() == 115);
    for (const int pid : pids)
        BOOST_TEST(eventually([&] { return has_ended(pid); }));
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_CASE(servers_die_when_both_are_killed) {
    program local = redlock_local({"--nodes", "3"}, show_nodes);
    const auto pids = numbers_in(local.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 4u);
    const int partner = partner_of(local.pid());
    ::kill(partner, SIGSTOP);
    local.kill();
    ::kill(partner, SIGKILL);
    for (const int pid : pids)
        BOOST_TEST(eventually([&] { return has_ended(pid); }));
}

BOOST_AUTO_TEST_CASE(an_interrupted_command_ends_the_nodes) {
    program local = redlock_local({"--nodes", "3"}, show_nodes);
    const auto pids = numbers_in(local.line_with("pids"));
    BOOST_REQUIRE(pids.size() == 4u);
    local.signal(SIGTERM);
    BOOST_TEST(local.status() == 128 + SIGTERM);
    BOOST_TEST(all_gone(pids));
    BOOST_TEST(folder_is_empty());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
