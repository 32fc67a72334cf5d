// `redlock top`

#include "terminal.hpp"
#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

namespace redlock::test {
namespace {

boost::json::value top_json(program& top) { return boost::json::parse(top.line_with("{").value_or("null")); }

/// A process that has the key from now on.
struct key_holder {
    explicit key_holder(const std::string& key)
        : process(redlock_run({"--label", "somebody", key}, "echo begun; sleep 600")) {
        BOOST_REQUIRE(process.says("begun"));
    }
    program process;
};

BOOST_FIXTURE_TEST_SUITE(top, tool_fixture)

BOOST_AUTO_TEST_CASE(keys_and_nodes_are_shown) {
    const key_holder held("report");
    program reader = redlock_run({"--read", "shared"}, "echo begun; sleep 600");
    BOOST_REQUIRE(reader.says("begun"));
    program shown = redlock({"top", "--looks", "1"});
    BOOST_TEST(shown.says("2 keys: 1 held, 1 read, 0 free; 0 waiting"));
    BOOST_TEST(shown.says("ready"));
    BOOST_TEST(shown.line_with("report").value_or("").find("somebody") != std::string::npos);
    BOOST_TEST(shown.line_with("shared").value_or("").find("read by 1") != std::string::npos);
    BOOST_TEST(shown.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_program_is_told_on_a_line_for_each_look) {
    const key_holder a("a");
    const key_holder b("b");
    program told = redlock({"top", "--json", "--looks", "2", "--interval", "20ms", "--keys", "1"});
    auto look = top_json(told);
    BOOST_TEST(look.at("keys").as_array().size() == 1u);
    BOOST_TEST(look.at("keys").at(0).at("key").as_string() == "a");
    BOOST_TEST(look.at("keys").at(0).at("state").as_string() == "held");
    BOOST_TEST(look.at("keys").at(0).at("grants_per_second").is_null());
    BOOST_TEST(look.at("left_out").as_int64() == 1);
    BOOST_TEST(look.at("engine").as_string() == "redis");
    BOOST_TEST(look.at("nodes").as_array().size() == 5u);
    BOOST_TEST(look.at("nodes").at(4).at("keys").as_int64() == 1);
    look = top_json(told);
    BOOST_TEST(look.at("keys").at(0).at("grants_per_second").as_double() == 0.0);
    BOOST_TEST(told.status() == 0);
}

// What goes on and on has a last look, so that a line that never comes is not waited for without end.
BOOST_AUTO_TEST_CASE(what_comes_and_goes_is_seen) {
    program told = redlock(
        {"top", "--json", "--interval", "20ms", "--search", "20ms", "--looks", "2000", "--beginning", "k"});
    BOOST_TEST(told.line_with(R"("keys":[])").has_value());
    const key_holder other("other");
    key_holder k("k");
    BOOST_TEST(told.line_with(R"("key":"k")").value_or("other").find("other") == std::string::npos);
    k.process.signal(SIGTERM);
    BOOST_TEST(told.line_with(R"("keys":[])").has_value());
    told.signal(SIGINT);
    BOOST_TEST(told.status() == 130);
}

BOOST_AUTO_TEST_CASE(an_outage_is_shown_and_not_the_end) {
    const key_holder k("k");
    program told = redlock({"top", "--json", "--interval", "20ms", "--search", "20ms", "--looks", "2000"});
    BOOST_TEST(told.line_with(R"("state":"held")").has_value());
    stop_majority();
    BOOST_TEST(told.line_with(R"("state":"unknown")").has_value());
    for (auto& node : nodes)
        node.stop();
    BOOST_TEST(told.line_with(R"("votes":0)").has_value());
    told.signal(SIGINT);
    BOOST_TEST(told.status() == 130);
}

BOOST_AUTO_TEST_CASE(without_nodes_there_is_nothing_to_show) {
    for (auto& node : nodes)
        node.stop();
    BOOST_TEST(redlock({"top"}).status() == 112);
}

BOOST_AUTO_TEST_CASE(an_order_that_there_is_not_is_refused) {
    program refused = redlock({"top", "--sort", "size"});
    BOOST_TEST(refused.says("--sort"));
    BOOST_TEST(refused.status() == 64);
}

BOOST_AUTO_TEST_CASE(keys_of_the_terminal_sort_and_end_it) {
    const environment kind("TERM", "xterm");
    const key_holder b("b");
    terminal tty({REDLOCK_TOOL, "top", "--interval", "1h", "--sort", "name"});
    BOOST_TEST(tty.shows("somebody"));
    tty.resize(100, 40);
    BOOST_TEST(tty.shows("\x1b[2J"));
    BOOST_TEST(tty.shows("somebody"));
    tty.type("n");
    BOOST_TEST(tty.shows("somebody"));
    tty.type("q");
    BOOST_TEST(tty.status().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(the_terminal_is_afterwards_as_it_was) {
    const environment kind("TERM", "xterm");
    const key_holder a("a");
    terminal tty({"/bin/sh", "-c",
                  "stty -a >before; " REDLOCK_TOOL
                  " top --interval 1h; stty -a >after; cmp before after && echo 'as ' it was"});
    BOOST_TEST(tty.shows("somebody"));
    tty.type("q");
    BOOST_TEST(tty.shows("as  it was"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
