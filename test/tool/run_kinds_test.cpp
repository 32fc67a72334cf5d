// redlock run with several keys, with permits, and with a key that stays.

#include "support/child_process.hpp"
#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(run_kinds, tool_fixture)

BOOST_AUTO_TEST_CASE(several_keys_are_held_together) {
    program run = redlock_run({"b", "a"}, "echo begun; sleep 600");
    BOOST_REQUIRE(run.line_with("begun"));
    BOOST_TEST((nodes.holders("a") >= 3u && nodes.holders("b") >= 3u));
    BOOST_TEST(redlock_run({"a", "--try"}, "true").status() == 110);
    BOOST_TEST(redlock_run({"a", "c", "--try"}, "true").status() == 110);
    BOOST_TEST(is_free("c"));
    run.kill();
    BOOST_TEST(eventually([&] { return is_free("a") && is_free("b"); }));
}

BOOST_AUTO_TEST_CASE(several_keys_have_a_token_each) {
    program run =
        redlock_run({"b", "a", "--fencing", "--label", ""}, "echo tokens $REDLOCK_FENCING_TOKEN; sleep 600");
    const auto line = run.line_with("tokens ").value_or("");
    const auto token_of = [&](const char* key) {
        const auto value = nodes[0].get(key).value_or("");
        return value.substr(value.find(':') + 1);
    };
    BOOST_REQUIRE(eventually([&] { return nodes[0].exists("a") && nodes[0].exists("b"); }));
    BOOST_TEST(line == "tokens " + token_of("b") + " " + token_of("a"));
    run.kill();
}

BOOST_AUTO_TEST_CASE(the_loss_of_one_key_ends_the_command) {
    program run = redlock_run({"a", "b", "--ttl", "1s"}, "echo begun; exec sleep 600");
    BOOST_REQUIRE(run.line_with("begun"));
    for (std::size_t i = 0; i < 5; ++i)
        nodes[i].command({"DEL", "b"});
    BOOST_TEST(run.says("lost a, b"));
    BOOST_TEST(run.status() == 113);
    BOOST_TEST(eventually([&] { return is_free("a"); }));
}

BOOST_AUTO_TEST_CASE(so_many_commands_run_at_once) {
    std::set<std::string> slots;
    program one = redlock_run({"k", "--permits", "2"}, "echo slot $REDLOCK_SLOT; sleep 600");
    program two = redlock_run({"k", "--permits", "2"}, "echo slot $REDLOCK_SLOT; sleep 600");
    slots.insert(one.line_with("slot ").value_or(""));
    slots.insert(two.line_with("slot ").value_or(""));
    BOOST_TEST((slots == std::set<std::string>{"slot 0", "slot 1"}));
    BOOST_TEST(redlock_run({"k", "--permits", "2", "--try"}, "true").status() == 110);
    BOOST_TEST(redlock_run({"k", "--permits", "2", "--wait", "100ms"}, "true").status() == 111);
    program next = redlock_run({"k", "--permits", "2", "--fencing"},
                               "echo slot $REDLOCK_SLOT token $REDLOCK_FENCING_TOKEN");
    one.kill();
    BOOST_TEST(next.line_with("slot ").value_or("").find(" token ") != std::string::npos);
    BOOST_TEST(next.status() == 0);
    two.kill();
}

BOOST_AUTO_TEST_CASE(a_key_stays_behind_a_short_command) {
    BOOST_TEST(redlock_run({"k", "--keep", "1h"}, "true").status() == 0);
    BOOST_TEST(nodes.holders("k") >= 3u);
    BOOST_TEST(redlock_run({"k", "--try"}, "true").status() == 110);
    // A node that is late does not count.
    BOOST_TEST(std::count_if(nodes.begin(), nodes.end(), [](redis_server& node) {
                   return node.pttl("k") > std::chrono::minutes(55);
               }) >= 3);
    BOOST_TEST(redlock({"run", "never", "--keep", "1h", "--", "/nonexistent/command"}).status() == 127);
    BOOST_TEST(eventually([&] { return is_free("never"); }));
    BOOST_TEST(redlock_run({"brief", "--keep", "1ms"}, "sleep 0.1").status() == 0);
    BOOST_TEST(is_free("brief"));
}

BOOST_AUTO_TEST_CASE(commands_that_read_run_beside_each_other_and_no_writer) {
    program one = redlock_run({"k", "--read"}, "echo reads; sleep 600");
    program two = redlock_run({"k", "--read"}, "echo reads; sleep 600");
    BOOST_TEST((one.line_with("reads") && two.line_with("reads")));
    BOOST_TEST(redlock_run({"k", "--write", "--try"}, "true").status() == 110);
    program writer = redlock_run({"k", "--write"}, "echo writes; sleep 600");
    BOOST_TEST(eventually([&] { return nodes.holders("k") == 5; }));
    BOOST_TEST(redlock_run({"k", "--read", "--try"}, "true").status() == 110);
    one.kill();
    two.kill();
    BOOST_TEST(writer.line_with("writes").has_value());
    BOOST_TEST(redlock_run({"k", "--read", "--try"}, "true").status() == 110);
    writer.kill();
    BOOST_TEST(redlock_run({"k", "--read"}, "true").status() == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_said) {
    BOOST_TEST(redlock_run({"a", "--read", "--write"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"a", "--read", "--permits", "2"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"a", "b", "--read"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"a", "b", "--permits", "2"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"a", "--permits", "0"}, "true").status() == 64);
    BOOST_TEST(redlock_run({"a", "--permits", "65"}, "true").status() == 64);
    program wrong = redlock_run({"a", ""}, "true");
    BOOST_TEST(wrong.says("a key must not be empty"));
    BOOST_TEST(wrong.status() == 64);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
