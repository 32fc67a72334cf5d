// redlock elect, and redlock leader.

#include "tool_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace redlock::test {
namespace {

program redlock_elect(std::vector<std::string> options, const std::string& script) {
    options.insert(options.begin(), "elect");
    options.insert(options.end(), {"--", "/bin/sh", "-c", script});
    return redlock(std::move(options));
}

struct elect_fixture : tool_fixture {
    bool nobody_leads() { return is_free("k") && is_free("k:redlock-leader"); }
    std::string record() { return nodes[0].get("k:redlock-leader").value_or(""); }
};

BOOST_FIXTURE_TEST_SUITE(elect, elect_fixture)

BOOST_AUTO_TEST_CASE(a_command_runs_while_it_leads_and_is_told_its_term) {
    program elected = redlock_elect({"k", "--value", "10.0.0.1:80"}, "echo term $REDLOCK_TERM; sleep 600");
    const std::string term = elected.line_with("term ").value_or("term ?").substr(5);
    BOOST_TEST(eventually([&] { return record() == term + ":1:10.0.0.1:80"; }));
    program leader = redlock({"leader", "k"});
    BOOST_TEST(leader.line_with("").value_or("") == "10.0.0.1:80 leads in term " + term);
    BOOST_TEST(leader.status() == 0);
    program json = redlock({"leader", "k", "--json"});
    BOOST_TEST(json.line_with("").value_or("") ==
               R"({"name":"k","leader":"10.0.0.1:80","term":)" + term + R"(,"version":1})");
    program shown = redlock({"inspect", "k"});
    BOOST_TEST(shown.says("who leads in term " + term + " as 10.0.0.1:80"));
    program shown_to_programs = redlock({"inspect", "--json", "k"});
    BOOST_TEST(
        shown_to_programs.says(R"("leader":{"value":"10.0.0.1:80","term":)" + term + R"(,"version":1})"));
    BOOST_TEST(redlock_elect({"k", "--try"}, "true").status() == 110);
    BOOST_TEST(redlock_elect({"k", "--wait", "100ms"}, "true").status() == 111);
    elected.kill();
    BOOST_TEST(eventually([&] { return nobody_leads(); }));
    program nobody = redlock({"leader", "k"});
    BOOST_TEST(nobody.line_with("").value_or("") == "nobody leads");
    BOOST_TEST(nobody.status() == 119);
}

BOOST_AUTO_TEST_CASE(the_status_is_that_of_the_command_and_the_value_names_the_process) {
    program elected = redlock_elect({"k"}, "exit 7");
    BOOST_TEST(elected.status() == 7);
    BOOST_TEST(nobody_leads());
    program waits = redlock_elect({"k"}, "echo begun; sleep 600");
    BOOST_REQUIRE(waits.line_with("begun"));
    std::string host(256, '\0');
    BOOST_REQUIRE(::gethostname(host.data(), host.size() - 1) == 0);
    host.resize(host.find('\0'));
    BOOST_TEST(eventually([&] { return record().find(":1:" + host + ":") != std::string::npos; }));
    waits.kill();
}

BOOST_AUTO_TEST_CASE(the_next_one_takes_over_and_who_follows_sees_it) {
    program follows = redlock({"leader", "k", "--follow"});
    BOOST_TEST(follows.line_with("").value_or("") == "nobody leads");
    program first = redlock_elect({"k", "--value", "one", "--ttl", "2s"}, "echo begun; sleep 600");
    BOOST_REQUIRE(first.line_with("begun"));
    BOOST_TEST(follows.says("one leads in term "));
    program second = redlock_elect({"k", "--value", "two", "--ttl", "2s"}, "echo begun; sleep 600");
    first.kill();
    BOOST_TEST(second.line_with("begun").has_value());
    BOOST_TEST(follows.says("two leads in term "));
    second.kill();
    BOOST_TEST(follows.says("nobody leads"));
    follows.kill();
}

BOOST_AUTO_TEST_CASE(the_loss_of_the_lead_ends_the_command) {
    program elected = redlock_elect({"k", "--ttl", "1s"}, "echo begun; exec sleep 600");
    BOOST_REQUIRE(elected.line_with("begun"));
    for (std::size_t i = 0; i < 5; ++i)
        nodes[i].command({"DEL", "k"});
    BOOST_TEST(elected.says("lost k"));
    BOOST_TEST(elected.status() == 113);
    BOOST_TEST(eventually([&] { return nobody_leads(); }));
}

BOOST_AUTO_TEST_CASE(without_a_majority_nobody_says_who_leads) {
    stop_majority();
    BOOST_TEST(redlock({"leader", "k"}).status() == 112);
    BOOST_TEST(redlock_elect({"k", "--try"}, "true").status() == 112);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_led_is_said) {
    BOOST_TEST(redlock_elect({""}, "true").status() == 64);
    BOOST_TEST(redlock_elect({"k", "--value", std::string(4097, 'v')}, "true").status() == 64);
    BOOST_TEST(redlock_elect({"k", "--try", "--wait", "1s"}, "true").status() == 64);
    BOOST_TEST(redlock({"leader", ""}).status() == 64);
    BOOST_TEST(redlock({"leader"}).status() == 64);
    program odd = redlock_elect({"k", "--value", "a\x1b[31m\n\xff"}, "echo begun; sleep 600");
    BOOST_REQUIRE(odd.line_with("begun"));
    program leader = redlock({"leader", "k"});
    BOOST_TEST(leader.line_with("").value_or("").starts_with("a\\x1b[31m\\x0a\\xff leads in term "));
    odd.kill();
}

BOOST_AUTO_TEST_CASE(an_operator_breaks_the_lead) {
    program elected = redlock_elect({"k", "--ttl", "1h"}, "echo begun; sleep 600");
    BOOST_REQUIRE(elected.line_with("begun"));
    BOOST_TEST(eventually([&] { return nodes.holders("k:redlock-leader") == 5; }));
    BOOST_TEST(redlock({"break", "--yes", "k"}).status() == 0);
    BOOST_TEST(nobody_leads());
    elected.kill();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
