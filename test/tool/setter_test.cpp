#include "tool/cli/setter.hpp"
#include "tool/nodes/node_list.hpp"

#include <redlock/config.hpp>

#include <boost/test/unit_test.hpp>

namespace redlock::tool {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(setter_suite)

BOOST_AUTO_TEST_CASE(times_have_units) {
    BOOST_TEST((parse_time("10") == 10s));
    BOOST_TEST((parse_time("0.25") == 250ms));
    BOOST_TEST((parse_time("250ms") == 250ms));
    BOOST_TEST((parse_time("1.5m") == 90s));
    BOOST_TEST((parse_time("2h") == 2h));
    BOOST_TEST((parse_time("1d") == 24h));
    BOOST_TEST((parse_time("forever") == forever));
    for (const char* wrong : {"", "s", "-1s", "1 s", "1x", "1ss", "1e3", "nan", "inf", "99999999999999d"})
        BOOST_CHECK_THROW(parse_time(wrong), usage_error);
}

BOOST_AUTO_TEST_CASE(a_time_is_written_as_it_is_read) {
    for (const auto time :
         std::initializer_list<std::chrono::milliseconds>{0ms, 1ms, 999ms, 1s, 61s, 1h, 25h, 48h, forever})
        BOOST_TEST((parse_time(text_of(time)) == time));
    BOOST_TEST(text_of(90s) == "90s");
    BOOST_TEST(text_of(0ms) == "0s");
}

BOOST_AUTO_TEST_CASE(limits_hold) {
    std::uint64_t number = 0;
    const auto set_number = into(number, 1, 63);
    set_number("63");
    BOOST_TEST(number == 63u);
    for (const char* wrong : {"0", "64", "5x", "-5", " 5", ""})
        BOOST_CHECK_THROW(set_number(wrong), usage_error);
    std::chrono::milliseconds time{0};
    const auto set_time = into(time, 1ms, 1min);
    set_time("1m");
    BOOST_TEST((time == 1min));
    for (const char* wrong : {"0", "61s", "forever"})
        BOOST_CHECK_THROW(set_time(wrong), usage_error);
}

BOOST_AUTO_TEST_CASE(nodes_are_separated_by_commas_or_blanks_and_the_hosts_of_one_node_by_commas) {
    using all = std::vector<std::string>;
    BOOST_TEST(
        (split_nodes(" redis://a,redis://b\tunix:///s\n") == all{"redis://a", "redis://b", "unix:///s"}));
    BOOST_TEST((split_nodes("redis+sentinel://a,b:1,[::1]/g,redis+sentinel://c/h rediss://d") ==
                all{"redis+sentinel://a,b:1,[::1]/g", "redis+sentinel://c/h", "rediss://d"}));
    BOOST_TEST((split_nodes("redis+cluster://a,b:1,redis://c,rediss+cluster://d,e") ==
                all{"redis+cluster://a,b:1", "redis://c", "rediss+cluster://d,e"}));
    BOOST_TEST(
        (split_nodes("etcd://a:1,[::1]:2,b/x,etcds://c,d") == all{"etcd://a:1,[::1]:2,b/x", "etcds://c,d"}));
    BOOST_TEST((split_nodes("postgresql://u@a:1,b:2/d,memory://c") ==
                all{"postgresql://u@a:1,b:2/d", "memory://c"}));
    BOOST_TEST((split_nodes("redis+sentinel://a b") == all{"redis+sentinel://a", "b"}));
    BOOST_TEST((split_nodes("redis://a,b") == all{"redis://a", "b"}));
    BOOST_TEST(split_nodes(" ,").empty());
}

BOOST_AUTO_TEST_CASE(an_address_with_a_password_is_known) {
    for (const char* has : {"redis://:p@h", "redis://p@h", "redis://u:p@h", "postgresql://u:p@h/d", "p@h",
                            "postgresql://h/d?user=u&password=p", "postgresql://h/d?pass%77ord=p",
                            "postgresql://u%3ap@h", "postgresql://h?sslpassword=p", "etcd://u:p@h,i/x"})
        BOOST_TEST(may_have_password(has), has);
    for (const char* has_none :
         {"redis://h:1/2", "unix:///s?db=1", "postgresql://u@h:1,i:2/d?sslmode=disable",
          "postgresql:///d?host=/run", "h", "memory://a"})
        BOOST_TEST(!may_have_password(has_none), has_none);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
