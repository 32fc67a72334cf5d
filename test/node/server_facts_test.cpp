#include "engines/redis/node/server/server_facts.hpp"
#include "node/recorder.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using node::server_facts;

std::optional<std::string> setting(std::string_view reply) {
    return node::read_setting(*parsed_reply(reply));
}

BOOST_AUTO_TEST_SUITE(facts_of_a_server)

BOOST_AUTO_TEST_CASE(what_info_says_is_taken_over) {
    server_facts facts;
    node::read_facts("# Replication\r\nrole:slave\r\nmaster_host:10.0.0.1\r\nmaster_port:6379\r\n"
                     "\r\n# Persistence\r\n"
                     "aof_enabled:1\r\nmaxmemory:0\r\n",
                     facts);
    BOOST_TEST(facts.master_host == "10.0.0.1");
    BOOST_TEST(facts.master_port == "6379");
    BOOST_TEST((facts.append_only == true));
    BOOST_TEST((facts.memory_is_limited == false));
    server_facts none;
    node::read_facts("aof_enabled\r\n:\r\nmaxmemory_policy:x\r\n", none);
    BOOST_TEST((!none.append_only && !none.memory_is_limited && none.master_host.empty()));
}

BOOST_AUTO_TEST_CASE(a_setting_is_read_from_an_array_and_from_a_map) {
    BOOST_TEST(setting("*2\r\n$4\r\nsave\r\n$6\r\n60 100\r\n").value() == "60 100");
    BOOST_TEST(setting("%1\r\n+appendfsync\r\n+always\r\n").value() == "always");
    BOOST_TEST(setting("*2\r\n$4\r\nsave\r\n$0\r\n\r\n").value().empty());
    for (const char* other : {"*0\r\n", "%0\r\n", "-NOPERM no\r\n", "$-1\r\n", "*2\r\n+save\r\n:1\r\n",
                              "*4\r\n+a\r\n+b\r\n+c\r\n+d\r\n"})
        BOOST_TEST(!setting(other), other);
}

BOOST_AUTO_TEST_CASE(a_hostile_word_is_cut_and_commands_nothing) {
    BOOST_TEST(node::printable("\x1b[2J\r\n\x7f\xff ok") == "?[2J???? ok");
    BOOST_TEST(node::printable(std::string(1000, 'x')).size() == 64u);
    server_facts facts;
    node::read_facts("master_host:\x1b]0;title\x07\r\n", facts);
    BOOST_TEST(facts.master_host == "?]0;title?");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
