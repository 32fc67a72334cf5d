// `redlock list`

#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(list, tool_fixture)

BOOST_AUTO_TEST_CASE(keys_that_are_held_are_listed) {
    program held = redlock_run({"report:2", "report:1", "other"}, "echo begun; sleep 600");
    BOOST_REQUIRE(held.says("begun"));
    program all = redlock({"list"});
    for (const char* key : {"other", "report:1", "report:2"})
        BOOST_TEST(all.line_with("").value_or("") == key);
    BOOST_TEST(all.status() == 0);
    program some = redlock({"list", "--beginning", "report:", "--json"});
    const auto told = boost::json::parse(some.line_with("{").value_or("null"));
    BOOST_TEST(boost::json::serialize(told) == R"({"keys":["report:1","report:2"],"more":false})");
    BOOST_TEST(some.status() == 0);
    held.kill();
}

BOOST_AUTO_TEST_CASE(nothing_is_listed_where_nothing_is_held) {
    program none = redlock({"list"});
    BOOST_TEST(!none.line_with(""));
    BOOST_TEST(none.status() == 0);
}

BOOST_AUTO_TEST_CASE(without_nodes_there_is_no_list) {
    for (auto& node : nodes)
        node.stop();
    BOOST_TEST(redlock({"list"}).status() == 112);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
