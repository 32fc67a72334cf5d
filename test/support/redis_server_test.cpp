#include "support/environment.hpp"
#include "support/eventually.hpp"
#include "support/node_set.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(redis_server_suite)

BOOST_AUTO_TEST_CASE(answers_commands_and_forgets_its_data_over_a_restart) {
    redis_server server;
    BOOST_TEST(server.command({"SET", "k", "v", "PX", "60000"}) == "OK");
    BOOST_TEST(server.get("k").value() == "v");
    BOOST_TEST((server.pttl("k") > 50s));
    BOOST_TEST(server.command({"INCR", "k"}).is_error());
    BOOST_TEST(server.info("role") == "master");
    const auto port = server.port();
    server.restart();
    BOOST_TEST(server.port() == port);
    BOOST_TEST(!server.get("k").has_value());
}

BOOST_AUTO_TEST_CASE(keeps_its_data_when_told_so) {
    redis_server server({.directives = {}, .password = {}, .persistent = true});
    server.command({"SET", "k", "v"});
    server.restart();
    BOOST_TEST(server.get("k").value() == "v");
}

BOOST_AUTO_TEST_CASE(takes_directives_and_a_password) {
    const redis_options options{
        .directives = {"maxmemory 100mb", "user reader on >word ~* +get", "rename-command SET \"\""},
        .password = "secret",
        .persistent = false};
    redis_server server(options);
    BOOST_TEST(server.command({"CONFIG", "GET", "maxmemory"}).elements.at(1) == "104857600");
    BOOST_TEST(server.command({"AUTH", "reader", "word"}) == "OK");
    BOOST_TEST(server.command({"DBSIZE"}).text.starts_with("NOPERM"));
    BOOST_TEST(server.uri("reader", "word").starts_with("redis://reader:word@127.0.0.1:"));
}

BOOST_AUTO_TEST_CASE(says_in_its_log_why_it_does_not_start) {
    const redis_options nonsense{.directives = {"maxmemory much"}, .password = {}, .persistent = false};
    BOOST_CHECK_THROW(redis_server{nonsense}, std::runtime_error);
}

BOOST_AUTO_TEST_CASE(is_the_program_that_the_environment_names) {
    const char* named = std::getenv("REDLOCK_TEST_SERVER");
    temporary_folder folder;
    const std::filesystem::path program = folder.path() / "program";
    std::ofstream(program) << "#!/bin/sh\ntouch " << (folder.path() / "ran").string() << "\nexec "
                           << (named ? named : "redis-server") << " \"$@\"\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    environment other("REDLOCK_TEST_SERVER", program);
    redis_server server;
    BOOST_TEST(std::filesystem::exists(folder.path() / "ran"));
    BOOST_TEST(server.version() == server.info(server.product() + "_version"));
}

BOOST_AUTO_TEST_CASE(stops_resumes_and_is_killed) {
    redis_server server;
    server.stop();
    redis_connection impatient(server.unix_uri().substr(std::string("unix://").size()), 100ms);
    BOOST_CHECK_THROW(impatient.command({"PING"}), std::system_error);

    server.resume();
    BOOST_TEST(server.command({"PING"}) == "PONG");
    const int pid = server.pid();
    server.kill();
    BOOST_TEST(::kill(pid, 0) == -1);
    BOOST_CHECK_THROW(server.command({"PING"}), std::system_error);
}

BOOST_AUTO_TEST_CASE(leaves_no_process_and_no_folder_behind) {
    int pid = 0;
    std::filesystem::path socket;
    {
        redis_server server;
        pid = server.pid();
        socket = server.unix_uri().substr(std::string("unix://").size());
        BOOST_TEST(std::filesystem::exists(socket));
    }
    BOOST_TEST(::kill(pid, 0) == -1);
    BOOST_TEST(!std::filesystem::exists(socket.parent_path()));
}

BOOST_AUTO_TEST_CASE(a_set_of_nodes_has_a_port_each) {
    node_set nodes(5);
    std::set<std::uint16_t> ports;
    for (auto& node : nodes)
        ports.insert(node.port());
    BOOST_TEST(ports.size() == 5u);
    nodes[2].command({"SET", "k", "v"});
    BOOST_TEST(nodes.holders("k") == 1u);
    BOOST_TEST(nodes.uris().at(2) == nodes[2].uri());
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
