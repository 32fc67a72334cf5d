#include "engines/zookeeper/address.hpp"

#include <redlock/error.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>

namespace redlock::zookeeper {
namespace {

BOOST_AUTO_TEST_SUITE(addresses)

std::error_code refusal_of(const std::string& uri) {
    try {
        parse_address(uri);
    } catch (const std::system_error& e) {
        BOOST_TEST(std::string(e.what()).find("secret") == std::string::npos);
        return e.code();
    }
    return {};
}

BOOST_AUTO_TEST_CASE(one_server_has_the_usual_port_and_root) {
    const address a = parse_address("zookeeper://locks.example");
    BOOST_REQUIRE(a.servers.size() == 1);
    BOOST_TEST(a.servers[0].host == "locks.example");
    BOOST_TEST(a.servers[0].port == 2181);
    BOOST_TEST(a.root == "/redlock");
    BOOST_TEST(a.user.empty());
    BOOST_TEST(a.name() == "zookeeper://locks.example:2181/redlock");
}

BOOST_AUTO_TEST_CASE(several_servers_a_login_and_a_root) {
    const address a = parse_address("zookeeper://me:se%40cret@10.0.0.1:1,[::1]:2,c/our/locks/");
    BOOST_REQUIRE(a.servers.size() == 3);
    BOOST_TEST(a.servers[1].host == "::1");
    BOOST_TEST(a.servers[1].port == 2);
    BOOST_TEST(a.servers[2].port == 2181);
    BOOST_TEST(a.user == "me");
    BOOST_TEST(a.password == "se@cret");
    BOOST_TEST(a.root == "/our/locks");
    BOOST_TEST(a.name() == "zookeeper://10.0.0.1:1,[::1]:2,c:2181/our/locks");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_refused_without_the_password) {
    for (const char* const uri :
         {"zookeeper://", "zookeeper:///root", "zookeeper://u:secret@", "zookeeper://u:secret@h:0",
          "zookeeper://u:secret@h:65536", "zookeeper://:secret@h", "zookeeper://u:secret%4@h",
          "zookeeper://u:secret%00@h", "zookeeper://u:secret@h/..", "zookeeper://u:secret@h//a",
          "zookeeper://u:secret@h/zookeeper", "zookeeper://u:secret@h/a?b=c", "zookeeper://u:secret@h#f",
          "zookeeper://u:secret@[::1", "zookeeper://u:secret@[secret]", "zookeeper://u:secret@h,",
          "zookeeper://u:secret@h/a%20b", "http://u:secret@h"})
        BOOST_TEST((refusal_of(uri) == errc::invalid_uri), uri);
    BOOST_TEST((refusal_of("zookeeper://u:secret@h,g,h:2181") == errc::duplicate_node));
    std::string many = "zookeeper://h0";
    for (int i = 1; i < 16; ++i)
        many += ",h" + std::to_string(i);
    BOOST_TEST((refusal_of(many) == errc::invalid_uri));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::zookeeper
