#include "engines/redis/node/address.hpp"

#include <redlock/error.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <system_error>
#include <vector>

namespace redlock::test {
namespace {

using namespace std::literals;
using node::parse_address;

struct bad_address {
    std::string uri;
    std::string_view sentence;
};

std::ostream& operator<<(std::ostream& out, const bad_address& bad) { return out << bad.uri.substr(0, 60); }

/// What is said about an address, without the words that are the same for all.
std::string complaint(std::string_view uri) {
    try {
        parse_address(uri);
        return "it is accepted";
    } catch (const std::system_error& error) {
        BOOST_TEST((error.code() == std::error_code(errc::invalid_uri)));
        const std::string_view what = error.what(), before = "node address: ";
        BOOST_TEST_REQUIRE(what.starts_with(before));
        const auto end = what.rfind(": " + error.code().message());
        BOOST_TEST_REQUIRE(end != what.npos);
        return std::string(what.substr(before.size(), end - before.size()));
    }
}

constexpr auto not_a_uri = "it is not a URI such as redis://host:6379/0; in user and password, reserved "
                           "characters must be percent-encoded, "
                           "the port must be a number, and an IPv6 address must stand in brackets"sv;
constexpr auto bad_port = "the port is not a number from 1 to 65535"sv;
constexpr auto bad_database = "the database is not a number from 0 to 16383"sv;
constexpr auto bad_host = "the host may have letters, digits, dots, hyphens and underscores only"sv;
constexpr auto two_slashes = "two slashes must follow the scheme, as in redis://host"sv;
constexpr auto no_query = "a query is for unix:// only; the database is the path, as in redis://host/1"sv;
constexpr auto no_host_here =
    "unix:// takes neither host nor port; three slashes lead to the path, as in unix:///run/redis.sock"sv;
constexpr auto no_service = "the name of the group is missing, as in redis+sentinel://host:26379/mymaster"sv;
constexpr auto unknown_scheme =
    "the scheme is unknown; it may be redis, rediss, redis+sentinel, rediss+sentinel, redis+cluster, "
    "rediss+cluster or unix, and memory, postgresql, mysql, etcd or zookeeper for another engine"sv;
constexpr auto unknown_parameter = "a query parameter is unknown; unix:// takes db alone"sv;

const std::vector<bad_address> bad_addresses{
    {"", not_a_uri},
    {"host", not_a_uri},
    {"127.0.0.1:6379", not_a_uri},
    {"redis://host:port", not_a_uri},
    {"redis://::1", not_a_uri},
    {"redis://[::1", not_a_uri},
    {"redis://[::g]", not_a_uri},
    {"redis://ho st", not_a_uri},
    {"redis://user:%zz@host", not_a_uri},
    {"redis://user:p@ss@host", not_a_uri},
    {"redis://user:p@host@5", not_a_uri},
    {"unix://user:p@@/s", not_a_uri},
    {"redis://user:p/ss@host", not_a_uri},
    {"redis://user:p\xc3\xa4ss@host", not_a_uri},
    {"redis://host\0"s, "it contains a NUL byte"},
    {"redis://" + std::string(16 * 1024, 'a'), "it has more than 16384 bytes"},
    {"localhost:6379", unknown_scheme},
    {"http://host", unknown_scheme},
    {"redis+tls://host", unknown_scheme},
    {"redis:host", two_slashes},
    {"redis:/host", two_slashes},
    {"unix:/run/redis.sock", two_slashes},
    {"redis://", "the host is missing"},
    {"redis:///0", "the host is missing"},
    {"redis://:6379", "the host is missing"},
    {"redis://user:secret@/0", "the host is missing"},
    {"redis://a%20b", bad_host},
    {"redis://a%00b", bad_host},
    {"redis://a*", bad_host},
    {"redis://[v1.x]", bad_host},
    {"redis://" + std::string(254, 'a'), "the host has more than 253 bytes"},
    {"redis://host:", bad_port},
    {"redis://host:0", bad_port},
    {"redis://host:65536", bad_port},
    {"redis://host:99999999999999999999", bad_port},
    {"redis://host/16384", bad_database},
    {"redis://host/-1", bad_database},
    {"redis://host/a", bad_database},
    {"redis://host/1/", bad_database},
    {"redis://host//1", bad_database},
    {"redis://host/99999999999999999999", bad_database},
    {"unix:///s?db=16384", bad_database},
    {"unix:///s?db=", bad_database},
    {"unix:///s?db", bad_database},
    {"unix:///s?db=+1", bad_database},
    {"redis://host?db=1", no_query},
    {"rediss://host/1?", no_query},
    {"redis://host#", "it has a fragment, which begins with #"},
    {"unix:///s#x", "it has a fragment, which begins with #"},
    {"unix://run/redis.sock", no_host_here},
    {"unix://:6379/s", no_host_here},
    {"unix://user@host/s", no_host_here},
    {"unix://", "the path of the Unix socket is missing"},
    {"unix:///", "the path of the Unix socket is missing"},
    {"unix:///" + std::string(107, 's'), "the path of the Unix socket has more than 107 bytes"},
    {"unix:///s?timeout=1", unknown_parameter},
    {"unix:///s?DB=1", unknown_parameter},
    {"unix:///s?", unknown_parameter},
    {"unix:///s?db=1&db=1", "the query parameter db stands there twice"},
    {"unix:///a%00b", "the path contains a NUL byte"},
    {"redis://a%00b@host", "the user contains a NUL byte"},
    {"redis://:a%00b@host", "the password contains a NUL byte"},
    {"redis+sentinel:host/group", "two slashes must follow the scheme, as in redis+sentinel://host/service"},
    {"unix+sentinel://host/group", "Sentinels are not on Unix sockets"},
    {"http+sentinel://host/group", unknown_scheme},
    {"redis+sentinel://", "the host is missing"},
    {"redis+sentinel:///group", "the host is missing"},
    {"redis+sentinel://a,,b/group", "the host is missing"},
    {"redis+sentinel://a,/group", "the host is missing"},
    {"redis+sentinel://,a/group", "the host is missing"},
    {"redis+sentinel://user:pw@/group", "the host is missing"},
    {"redis+sentinel://a:0,b/group", bad_port},
    {"redis+sentinel://a:,b/group", bad_port},
    {"redis+sentinel://a,b*/group", bad_host},
    {"redis+sentinel://a,b,A/group", "a Sentinel stands there twice"},
    {"redis+sentinel://[::1/group", not_a_uri},
    {"redis+sentinel://u:p@s@host/group", not_a_uri},
    {"redis+cluster:host", "two slashes must follow the scheme, as in redis+sentinel://host/service"},
    {"unix+cluster://host", "a cluster is not on Unix sockets"},
    {"http+cluster://host", unknown_scheme},
    {"redis+clusters://host", unknown_scheme},
    {"redis+cluster://", "the host is missing"},
    {"redis+cluster://a,,b", "the host is missing"},
    {"redis+cluster://a,b:6379,A", "a server stands there twice"},
    {"redis+cluster://a/1", "a cluster has no other database than 0"},
    {"redis+cluster://a/name", "a cluster has no other database than 0"},
    {"redis+cluster://a#x", "it has a fragment, which begins with #"},
    {"redis+sentinel://host", no_service},
    {"redis+sentinel://host/", no_service},
    {"redis+sentinel://host//0", no_service},
    {"redis+sentinel://host/gr%6Fup", "the name of the group may have letters, digits, dots, hyphens and "
                                      "underscores only"},
    {"redis+sentinel://host/" + std::string(65, 'a'), "the name of the group has more than 64 bytes"},
    {"redis+sentinel://host/group/x", bad_database},
    {"redis+sentinel://host/group/16384", bad_database},
    {"redis+sentinel://host/group/1/", bad_database},
    {"redis+sentinel://host/group?db=1", no_query},
    {"redis+sentinel://host/group#", "it has a fragment, which begins with #"},
    {"redis+sentinel://a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p/group", "it names more than 15 Sentinels"},
};

BOOST_AUTO_TEST_SUITE(address_refusal)

BOOST_DATA_TEST_CASE(is_refused_with_a_sentence_of_its_own, boost::unit_test::data::make(bad_addresses),
                     bad) {
    BOOST_TEST(complaint(bad.uri) == bad.sentence);
}

BOOST_AUTO_TEST_CASE(no_complaint_gives_away_a_password) {
    // However the user got it wrong: what looks like a host, a port or a path to the parser may be half a
    // password.
    for (const auto uri : {"redis://user:hunter2@host:0",
                           "redis://user:hunter2@host/x",
                           "redis://user:hunter2@",
                           "redis://user:hunter2",
                           "redis://:hunter2",
                           "redis://:hunter2@host name",
                           "redis://user:hun@hunter2@host",
                           "redis://user:1/hunter2@host",
                           "redis://user:1?hunter2@host",
                           "redis://user:1#hunter2@host",
                           "unix:///s?hunter2=1",
                           "unix:///s?password=hunter2",
                           "unix://user:hunter2@host/s",
                           "hunter2://host",
                           "redis://hunter2*",
                           "redis://user:hunter2%00@host",
                           "redis+sentinel://user:hunter2@a:0/g",
                           "redis+sentinel://user:hun@hunter2@a/g",
                           "redis+sentinel://user:1/hunter2@a/g",
                           "redis+sentinel://user:hunter2/g",
                           "redis+sentinel://:hunter2@a/",
                           "redis+sentinel://:hunter2@a/g/x",
                           "redis+sentinel://:a,hunter2@b,/g"}) {
        const auto said = complaint(uri);
        BOOST_TEST(said != "it is accepted");
        BOOST_TEST(said.find("hunter2") == said.npos);
        BOOST_TEST(said.find("user:") == said.npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
