#include "engines/redis/node/server/server_info.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

BOOST_AUTO_TEST_SUITE(server_info_suite)

BOOST_AUTO_TEST_CASE(tells_valkey_from_redis) {
    const std::string_view text =
        "# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n"
        "server_mode:standalone\r\nuptime_in_seconds:12\r\n";
    node::server_info alone;
    node::read_info(text, alone);
    BOOST_TEST(alone.product == "valkey");
    BOOST_TEST(alone.version == "8.0.1");
    BOOST_TEST(alone.mode == "standalone");

    node::server_info after_hello;
    BOOST_TEST(node::read_hello(
        *parsed_reply("*4\r\n$6\r\nserver\r\n$6\r\nvalkey\r\n$7\r\nversion\r\n$5\r\n8.0.1\r\n"),
        after_hello));
    node::read_info(text, after_hello);
    BOOST_TEST(after_hello.version == "8.0.1");
}

BOOST_AUTO_TEST_CASE(passes_over_nonsense) {
    node::server_info info;
    for (const char* text : {"", "\r\n\r\n", ":", "no colon", "uptime_in_seconds:", "uptime_in_seconds:-5",
                             "uptime_in_seconds:12x", "uptime_in_seconds:99999999999999999999"})
        node::read_info(text, info);
    BOOST_TEST(info.uptime.count() == -1);
    node::read_info("run_id:" + std::string(100'000, 'a'), info);
    BOOST_TEST(info.run_id.size() == 64u);
    BOOST_TEST(!node::read_hello(*parsed_reply("+OK\r\n"), info));
    BOOST_TEST(node::read_hello(*parsed_reply("%0\r\n"), info));
    BOOST_TEST(node::read_hello(*parsed_reply("%1\r\n:1\r\n*1\r\n:2\r\n"), info));
}

BOOST_AUTO_TEST_CASE(the_replication_id_is_of_the_replicas_too) {
    node::server_info info;
    node::read_info("role:slave\r\nmaster_replid:0123456789012345678901234567890123456789\r\n", info);
    BOOST_TEST(info.replication_id == "0123456789012345678901234567890123456789");
    node::read_info("master_replid:\x1b[2J\r\n", info);
    BOOST_TEST(info.replication_id == "?[2J");
}

BOOST_AUTO_TEST_CASE(no_word_commands_a_terminal) {
    node::server_info told;
    node::read_info("redis_version:7\x1b[2J\r\nredis_mode:a\x07\r\nrun_id:\x1b]0;x\r\n"
                    "maxmemory_policy:\x1b[31mred\xff\r\nrole:\x9bmaster\r\n",
                    told);
    BOOST_TEST(told.version == "7?[2J");
    BOOST_TEST(told.mode == "a?");
    BOOST_TEST(told.run_id == "?]0;x");
    BOOST_TEST(told.eviction_policy == "?[31mred?");
    BOOST_TEST(told.role == "?master");
    node::read_info("server_name:\x1bkey\r\n", told);
    BOOST_TEST(told.product == "?key");
    node::server_info greeting;
    BOOST_TEST(node::read_hello(*parsed_reply("%2\r\n+server\r\n+\x1b[1m\r\n+role\r\n+a\tb\r\n"), greeting));
    BOOST_TEST(greeting.product == "?[1m");
    BOOST_TEST(greeting.role == "a?b");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
