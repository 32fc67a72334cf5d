#include "engines/redis/node/address.hpp"

#include <redlock/error.hpp>

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

using node::address;
using node::parse_address;
using transport = address::transport;

BOOST_AUTO_TEST_SUITE(address_suite)

BOOST_AUTO_TEST_CASE(host_and_defaults) {
    const auto a = parse_address("redis://localhost");
    BOOST_CHECK(a.via == transport::tcp);
    BOOST_TEST(a.host == "localhost");
    BOOST_TEST(a.port == 6379);
    BOOST_TEST(a.database == 0U);
    BOOST_TEST(a.user == "");
    BOOST_TEST(a.password == "");
    BOOST_TEST(a.path == "");
    BOOST_TEST(a.name() == "redis://localhost:6379/0");
}

BOOST_AUTO_TEST_CASE(everything_at_once) {
    const auto a = parse_address("rediss://al%69ce:p%40ss%2F%3A%C3%A4w%20ord@db_1.example.com:65535/16383");
    BOOST_CHECK(a.via == transport::tls);
    BOOST_TEST(a.host == "db_1.example.com");
    BOOST_TEST(a.port == 65'535);
    BOOST_TEST(a.database == 16'383U);
    BOOST_TEST(a.user == "alice");
    BOOST_TEST(a.password == "p@ss/:\xc3\xa4w ord");
    BOOST_TEST(a.name() == "rediss://db_1.example.com:65535/16383");
}

BOOST_AUTO_TEST_CASE(user_and_password_may_each_be_missing) {
    BOOST_TEST(parse_address("redis://:secret@host").user == "");
    BOOST_TEST(parse_address("redis://:secret@host").password == "secret");
    BOOST_TEST(parse_address("redis://alice@host").user == "alice");
    BOOST_TEST(parse_address("redis://alice@host").password == "");
    BOOST_TEST(parse_address("redis://alice:@host").password == "");
    BOOST_TEST(parse_address("redis://@host").user == "");
    BOOST_TEST(parse_address("redis://a:b:c@host").password == "b:c");
}

BOOST_AUTO_TEST_CASE(spellings_of_the_same) {
    BOOST_TEST(parse_address("REDIS://host").name() == "redis://host:6379/0");
    BOOST_TEST(parse_address("redis://host/").name() == "redis://host:6379/0");
    BOOST_TEST(parse_address("redis://host:06379/007").name() == "redis://host:6379/7");
    BOOST_TEST(parse_address("redis://h%6Fst/%31").name() == "redis://host:6379/1");
}

BOOST_AUTO_TEST_CASE(ip_addresses) {
    BOOST_TEST(parse_address("redis://127.0.0.1:7000").host == "127.0.0.1");
    BOOST_TEST(parse_address("redis://[::1]:7000/2").host == "::1");
    BOOST_TEST(parse_address("redis://[::1]:7000/2").name() == "redis://[::1]:7000/2");
    BOOST_TEST(parse_address("redis://[0:0:0:0:0:0:0:1]").host == "::1");
    BOOST_TEST(parse_address("redis://user:pw@[2001:DB8::A]").name() == "redis://[2001:db8::a]:6379/0");
}

BOOST_AUTO_TEST_CASE(unix_sockets) {
    const auto a = parse_address("unix:///run/redis/redis.sock");
    BOOST_CHECK(a.via == transport::unix_socket);
    BOOST_TEST(a.path == "/run/redis/redis.sock");
    BOOST_TEST(a.host == "");
    BOOST_TEST(a.database == 0U);
    BOOST_TEST(a.name() == "unix:///run/redis/redis.sock?db=0");

    const auto b = parse_address("unix://alice:p%3Aw@/tmp/a%20b%3F?db=15");
    BOOST_TEST(b.path == "/tmp/a b?");
    BOOST_TEST(b.user == "alice");
    BOOST_TEST(b.password == "p:w");
    BOOST_TEST(b.database == 15U);
    BOOST_TEST(b.name() == "unix:///tmp/a%20b%3F?db=15");
    BOOST_TEST(parse_address("unix:///" + std::string(106, 's')).path.size() == 107U);
}

BOOST_AUTO_TEST_CASE(groups) {
    const auto a = parse_address("redis+sentinel://sentinel/mymaster");
    BOOST_CHECK(a.via == transport::tcp);
    BOOST_TEST(a.is_group());
    BOOST_TEST(a.host == "");
    BOOST_TEST(a.service == "mymaster");
    BOOST_TEST(a.database == 0U);
    BOOST_TEST(a.name() == "redis+sentinel://sentinel:26379/mymaster/0");

    const auto b =
        parse_address("rediss+Sentinel://al%69ce:p%2C%40w@s1:1,[::1],[::2]:3,S2.example.com/a.B-c_1/15");
    BOOST_CHECK(b.via == transport::tls);
    BOOST_TEST(b.user == "alice");
    BOOST_TEST(b.password == "p,@w");
    BOOST_TEST(b.sentinels.size() == 4U);
    BOOST_TEST(b.database == 15U);
    BOOST_TEST(b.name() == "rediss+sentinel://s1:1,[::1]:26379,[::2]:3,S2.example.com:26379/a.B-c_1/15");
    BOOST_TEST(!parse_address("redis://host").is_group());
}

BOOST_AUTO_TEST_CASE(clusters) {
    const auto a = parse_address("redis+cluster://al%69ce:p%2C%40w@one,[::1]:7001,two:7002/0");
    BOOST_CHECK(a.via == transport::tcp);
    BOOST_TEST(a.is_cluster());
    BOOST_TEST(!a.is_group());
    BOOST_TEST(a.host == "");
    BOOST_TEST(a.user == "alice");
    BOOST_TEST(a.password == "p,@w");
    BOOST_TEST(a.members.size() == 3U);
    BOOST_TEST(a.name() == "redis+cluster://one:6379,[::1]:7001,two:7002");
    BOOST_CHECK(parse_address("Rediss+Cluster://one/").via == transport::tls);
    BOOST_TEST(!parse_address("redis://host").is_cluster());
}

BOOST_AUTO_TEST_CASE(a_name_is_an_address_of_the_same_place) {
    for (const auto uri : {"redis://:pw@Host:1/2", "rediss://[fe80::1]", "unix:////tmp//%25%01%3f",
                           "redis+sentinel://:pw@a,b:1,[::1]:2/g/3", "rediss+sentinel://a/g",
                           "redis+cluster://:pw@a,b:1,[::1]:2", "rediss+cluster://a"}) {
        auto a = parse_address(uri);
        a.user.clear();
        a.password.clear();
        BOOST_CHECK(parse_address(a.name()) == a);
    }
}

BOOST_AUTO_TEST_CASE(same_server) {
    const auto same = [](std::string_view a, std::string_view b) {
        return node::same_server(parse_address(a), parse_address(b));
    };
    BOOST_TEST(same("redis://host", "redis://host:6379/0"));
    BOOST_TEST(same("redis://host", "redis://HOST"));
    BOOST_TEST(same("redis://host/1", "redis://host/2"));
    BOOST_TEST(same("redis://host", "rediss://host"));
    BOOST_TEST(same("redis://a:b@host", "redis://host"));
    BOOST_TEST(same("redis://[::1]", "redis://[0:0::1]"));
    BOOST_TEST(same("unix:///s", "unix:///%73?db=3"));
    BOOST_TEST(!same("redis://host", "redis://host:6380"));
    BOOST_TEST(!same("redis://host", "redis://hosts"));
    BOOST_TEST(same("redis+sentinel://a,b/g", "rediss+sentinel://c,B:26379/g/1"));
    BOOST_TEST(!same("redis+sentinel://a,b/g", "redis+sentinel://a,b/h"));
    BOOST_TEST(!same("redis+sentinel://a,b/g", "redis+sentinel://a:1,c/g"));
    BOOST_TEST(!same("redis+sentinel://a/g", "redis://a:26379"));
    BOOST_TEST(!same("redis://host", "redis://other"));
    BOOST_TEST(same("redis+cluster://a,b", "rediss+cluster://c,B:6379"));
    BOOST_TEST(same("redis+cluster://a,b", "redis://b/0"));
    BOOST_TEST(same("rediss://b", "redis+cluster://a,b"));
    BOOST_TEST(!same("redis+cluster://a,b", "redis+cluster://c"));
    BOOST_TEST(!same("redis+cluster://a", "redis+sentinel://a:6379/g"));
    BOOST_TEST(!same("redis+cluster://a", "unix:///a"));
    BOOST_TEST(!same("unix:///s", "unix:///S"));
    BOOST_TEST(!same("unix:///s", "redis://s"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
