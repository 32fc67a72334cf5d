#include "terminal.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(breaking, tool_fixture)

BOOST_AUTO_TEST_CASE(a_held_key_is_removed) {
    hold("k");
    program tool = redlock({"break", "--yes", "k"});
    BOOST_TEST(tool.says("held by somebody on 5 of 5 nodes"));
    BOOST_TEST(tool.says("k: removed from 5 of 5 nodes"));
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(is_free("k"));
    program again = redlock({"break", "--yes", "k"});
    BOOST_TEST(again.says("k: free"));
    BOOST_TEST(again.status() == 118);
}

BOOST_AUTO_TEST_CASE(nothing_is_removed_unasked) {
    hold("k");
    program tool = redlock({"break", "k"});
    BOOST_TEST(tool.says("--yes"));
    BOOST_TEST(tool.status() == 64);
    BOOST_TEST(nodes.holders("k") == 5u);

    terminal no({REDLOCK_TOOL, "break", "k"});
    BOOST_TEST(no.shows("held by somebody"));
    BOOST_TEST(no.shows("Type yes to do so: "));
    no.type("no\n");
    BOOST_TEST(no.shows("nothing was removed"));
    BOOST_TEST(no.status().value_or(0) == 118);

    terminal almost({REDLOCK_TOOL, "break", "k"});
    BOOST_TEST(almost.shows("Type yes to do so: "));
    almost.type("y\n");
    BOOST_TEST(almost.shows("nothing was removed"));
    BOOST_TEST(almost.status().value_or(0) == 118);

    terminal interrupted({REDLOCK_TOOL, "break", "k"});
    BOOST_TEST(interrupted.shows("Type yes to do so: "));
    interrupted.type("\x03");
    BOOST_TEST(interrupted.status().value_or(0) == -2);
    BOOST_TEST(nodes.holders("k") == 5u);
}

BOOST_AUTO_TEST_CASE(a_holder_that_changes_meanwhile_keeps_its_lock) {
    hold("k");
    terminal tool({REDLOCK_TOOL, "break", "k"});
    BOOST_TEST(tool.shows("Type yes to do so: "));
    for (auto& node : nodes)
        node.command({"SET", "k", "another", "PX", "600000"});
    tool.type("yes\n");
    BOOST_TEST(tool.shows("removed from 0 of 5 nodes"));
    BOOST_TEST(tool.shows("somebody else's by now"));
    BOOST_TEST(tool.status().value_or(0) == 118);
    BOOST_TEST(nodes[0].get("k").value_or("") == "another");
    BOOST_TEST(nodes.holders("k") == 5u);
}

BOOST_AUTO_TEST_CASE(who_reads_is_removed_as_shown) {
    program one = redlock_run({"--read", "k"}, "echo begun; sleep 600");
    program two = redlock_run({"--read", "k"}, "echo begun; sleep 600");
    BOOST_REQUIRE((one.says("begun") && two.says("begun")));
    terminal tool({REDLOCK_TOOL, "break", "k"});
    BOOST_TEST(tool.shows("read by 2"));
    BOOST_TEST(tool.shows("Type yes to do so: "));
    for (auto& node : nodes)
        node.command({"ZADD", "k:redlock-readers", "9e15", "one who came later"});
    tool.type("yes\n");
    BOOST_TEST(tool.shows("removed from 5 of 5 nodes"));
    BOOST_TEST(tool.shows("and 2 that read"));
    BOOST_TEST(tool.status().value_or(-1) == 0);
    for (auto& node : nodes)
        BOOST_TEST(node.command({"ZSCORE", "k:redlock-readers", "one who came later"}).text != "");
    program json = redlock({"break", "--yes", "--json", "k"});
    BOOST_TEST(json.says(R"("outcome":"removed","readers_removed":1)"));
    BOOST_TEST(json.status() == 0);
}

BOOST_AUTO_TEST_CASE(all_permits_that_are_taken_are_removed) {
    hold("k:0");
    hold("k:2");
    program tool = redlock({"break", "--yes", "--permits", "3", "k"});
    BOOST_TEST(tool.says("k: 2 of 3 permits are taken"));
    BOOST_TEST(tool.says("k:0: removed from 5 of 5 nodes"));
    BOOST_TEST(tool.says("k:2: removed from 5 of 5 nodes"));
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST((is_free("k:0") && is_free("k:2")));
    program again = redlock({"break", "--yes", "--json", "--permits", "3", "k"});
    for (const char* key : {"k:0", "k:1", "k:2"})
        BOOST_TEST(again.says(std::string(R"({"key":")") + key + R"(","removed":0)"));
    BOOST_TEST(again.status() == 118);
}

BOOST_AUTO_TEST_CASE(permits_are_asked_for_together_and_one_that_changes_is_left) {
    hold("k:0");
    hold("k:1");
    terminal tool({REDLOCK_TOOL, "break", "--permits", "2", "k"});
    BOOST_TEST(tool.shows("2 of 2 permits are taken"));
    BOOST_TEST(tool.shows("Break all that are taken? Type yes to do so: "));
    for (auto& node : nodes)
        node.command({"SET", "k:0", "another", "PX", "600000"});
    tool.type("yes\n");
    BOOST_TEST(tool.shows("removed from 0 of 5 nodes"));
    BOOST_TEST(tool.shows("removed from 5 of 5 nodes"));
    BOOST_TEST(tool.status().value_or(0) == 118);
    BOOST_TEST(nodes.holders("k:0") == 5u);
    BOOST_TEST(is_free("k:1"));
}

BOOST_AUTO_TEST_CASE(json_says_what_became_of_it_on_each_node) {
    hold("k");
    nodes[1].command({"DEL", "k"});
    nodes[4].kill();
    program tool = redlock({"break", "--yes", "--json", "k"});
    const std::string text = tool.line_with("{").value_or("");
    BOOST_TEST(text.starts_with(R"({"key":"k","removed":3,"nodes":[{"node":")" + nodes[0].uri() +
                                R"(/0","outcome":"removed","readers_removed":0},)"));
    BOOST_TEST(text.find(R"("outcome":"nothing_shown")") != std::string::npos);
    BOOST_TEST(text.find(R"("outcome":"failed","readers_removed":0,"error":")") != std::string::npos);
    BOOST_TEST(tool.status() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
