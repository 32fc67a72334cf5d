#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <csignal>

namespace redlock::test {
namespace {

BOOST_FIXTURE_TEST_SUITE(inspect, tool_fixture)

BOOST_AUTO_TEST_CASE(a_free_key) {
    program inspect = redlock({"inspect", "k"});
    BOOST_TEST(inspect.line_with("").value_or("") == "k: free");
    BOOST_TEST(inspect.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_held_key_on_every_node) {
    program run = redlock_run({"k", "--fencing"}, "echo token $REDLOCK_FENCING_TOKEN; sleep 600");
    const auto token = run.line_with("token ").value_or("").substr(6);
    BOOST_TEST(eventually([&] { return nodes.holders("k") == 5; }));
    program inspect = redlock({"inspect", "k"});
    BOOST_TEST(inspect.says("on 5 of 5 nodes"));
    BOOST_TEST(inspect.says("expires in"));
    for (auto& node : nodes) {
        const std::string line = inspect.line_with("redis://127.0.0.1:").value_or("");
        BOOST_TEST(line.find(':' + token) != std::string::npos, line);
        BOOST_TEST(line.ends_with(fmt::format("{} {}", node.product(), node.version())), line);
    }
    BOOST_TEST(inspect.status() == 110);
}

BOOST_AUTO_TEST_CASE(what_no_majority_has) {
    nodes[0].command({"SET", "k", "one"});
    nodes[1].command({"SET", "k", "one"});
    program free = redlock({"inspect", "k"});
    BOOST_TEST(free.says("free, though 2 of 5 nodes have it"));
    BOOST_TEST(free.says("never expires"));
    BOOST_TEST(free.status() == 0);

    nodes[2].command({"SET", "k", "two", "PX", "600000"});
    nodes[3].command({"SET", "k", "two", "PX", "600000"});
    program split = redlock({"inspect", "k"});
    BOOST_TEST(split.says("split"));
    BOOST_TEST(split.status() == 116);

    // Whether the silent node has a third vote for one of them is not known.
    nodes[4].stop();
    program unknown = redlock({"inspect", "k"});
    BOOST_TEST(unknown.says("not known: 4 of 5 nodes answered"));
    BOOST_TEST(unknown.status() == 112);
}

BOOST_AUTO_TEST_CASE(who_waits_is_counted) {
    for (auto& node : nodes)
        node.command({"CONFIG", "SET", "notify-keyspace-events", "KEA"});
    program watch = redlock({"watch", "--interval", "20ms", "k"});
    BOOST_TEST(watch.says("k: free"));
    program holder = redlock_run({"k"}, "echo begun; sleep 600");
    BOOST_REQUIRE(holder.says("begun"));
    program first = redlock_run({"k"}, "echo begun; sleep 600");
    program second = redlock_run({"k"}, "echo begun; sleep 600");
    BOOST_TEST(watch.says("2 waiting"));
    program inspect = redlock({"inspect", "k", "--json"});
    const std::string shown = inspect.line_with("{").value_or("");
    BOOST_TEST(shown.find(R"("waiting":2)") != std::string::npos);
    BOOST_TEST(shown.find(R"("engine":"redis")") != std::string::npos);
    program table = redlock({"inspect", "k"});
    BOOST_TEST(table.says("on 5 of 5 nodes, 2 waiting"));
    BOOST_TEST(table.says("listeners"));
    first.signal(SIGTERM);
    BOOST_TEST(watch.says("1 waiting"));
    second.signal(SIGTERM);
    BOOST_TEST(watch.says("0 waiting"));
}

BOOST_AUTO_TEST_CASE(a_value_cannot_steer_the_terminal) {
    for (auto& node : nodes)
        node.command({"SET", "k",
                      "\x1b[2Jno\xc2\x9b"
                      "body"});
    program inspect = redlock({"inspect", "k"});
    BOOST_TEST(inspect.line_with("").value_or("") == R"(k: held by \x1b[2Jno\xc2\x9bbody on 5 of 5 nodes)");
    inspect.line_with("expires in");
    BOOST_TEST(inspect.line_with("").value_or("").find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_cannot_steer_the_terminal) {
    const std::string key = "\x1b[2Jk";
    for (const std::vector<std::string>& words : {std::vector<std::string>{"inspect", key},
                                                  {"break", "--yes", key},
                                                  {"run", "--try", key, "--", "true"}}) {
        hold(key);
        program tool = redlock(words);
        const auto line = tool.line_with(R"(\x1b[2Jk)").value_or("\x1b");
        BOOST_TEST(line.find('\x1b') == std::string::npos, words[0]);
        tool.status();
    }
    hold(key);
    program watch = redlock({"watch", "--interval", "20ms", key});
    BOOST_TEST(watch.line_with(R"(\x1b[2Jk: held)").value_or("\x1b").find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_written_in_utf_8_stays_readable_where_the_terminal_knows_it) {
    hold("größe");
    const environment utf8("LC_ALL", "C.UTF-8");
    BOOST_TEST(redlock({"inspect", "größe"}).says("größe: held by somebody"));
    const environment ascii("LC_ALL", "C");
    BOOST_TEST(redlock({"inspect", "größe"}).says(R"(gr\xc3\xb6\xc3\x9fe: held by somebody)"));
}

BOOST_AUTO_TEST_CASE(json_is_valid_whatever_the_bytes) {
    for (auto& node : nodes)
        node.command({"SET", "k\xff", "\xfe\\\xc2\x9bö\x1b"});
    program inspect = redlock({"inspect", "--json", "k\xff"});
    const auto line = inspect.line_with("{").value_or("");
    for (const char steering : {'\x1b', '\x9b', '\xfe', '\xff'})
        BOOST_TEST(line.find(steering) == std::string::npos);
    boost::system::error_code error;
    const auto report = boost::json::parse(line, error);
    BOOST_REQUIRE(!error);
    BOOST_TEST(report.at("key").as_string() == R"(k\xff)");
    BOOST_TEST(report.at("holder").as_string() == "\\xfe\\\xc2\x9bö\x1b");
    BOOST_TEST(redlock({"break", "--yes", "--json", "k\xff"}).says(R"({"key":"k\\xff","removed":5)"));
}

BOOST_AUTO_TEST_CASE(a_key_that_holds_something_else_is_no_lock) {
    for (auto& node : nodes)
        node.command({"RPUSH", "k", "element"});
    program all = redlock({"inspect", "k"});
    BOOST_TEST(all.line_with("").value_or("") == "k: holds another type, no lock, on 5 of 5 nodes");
    BOOST_TEST(all.says("  holds another type, no lock"));
    BOOST_TEST(all.status() == 114);
    program json = redlock({"inspect", "--json", "k"});
    BOOST_TEST(json.says(R"("state":"other_type")"));
    BOOST_TEST(json.status() == 114);
    program kept = redlock({"break", "--yes", "k"});
    BOOST_TEST(kept.says("k: holds another type, no lock, on 5 of 5 nodes"));
    BOOST_TEST(kept.status() == 114);
    BOOST_TEST(nodes.holders("k") == 5u);

    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].command({"DEL", "k"});
    program some = redlock({"inspect", "k"});
    BOOST_TEST(some.line_with("").value_or("") == "k: free, another type, no lock, on 2 of 5 nodes");
    BOOST_TEST(some.status() == 0);
}

BOOST_AUTO_TEST_CASE(who_reads_is_shown_and_who_waits_to_write) {
    program watch = redlock({"watch", "--interval", "20ms", "k"});
    BOOST_TEST(watch.says("k: free"));
    program one = redlock_run({"--read", "k"}, "echo begun; sleep 600");
    program two = redlock_run({"--read", "k"}, "echo begun; sleep 600");
    BOOST_REQUIRE((one.says("begun") && two.says("begun")));
    BOOST_TEST(watch.says("read by 2"));
    program table = redlock({"inspect", "k"});
    BOOST_TEST(table.line_with("").value_or("") == "k: read by 2");
    BOOST_TEST(table.says("who reads"));
    BOOST_TEST(table.says("5/5"));
    BOOST_TEST(table.says("5/5"));
    BOOST_TEST(table.status() == 110);
    program json = redlock({"inspect", "--json", "k"});
    const auto report = boost::json::parse(json.line_with("{").value_or("null"));
    BOOST_TEST(report.at("state").as_string() == "read");
    BOOST_REQUIRE(report.at("readers").as_array().size() == 2u);
    const auto& first = report.at("nodes").as_array().at(0).at("readers").as_array().at(0);
    BOOST_TEST((first.at("value") == report.at("readers").as_array().at(0) ||
                first.at("value") == report.at("readers").as_array().at(1)));
    BOOST_TEST(first.at("remaining_milliseconds").as_int64() > 0);

    program writer = redlock_run({"--write", "k"}, "echo begun; sleep 600");
    BOOST_TEST(watch.says("who waits to write: it is read by 2"));
    one.signal(SIGTERM);
    two.signal(SIGTERM);
    BOOST_TEST(writer.says("begun"));
    BOOST_TEST(watch.says("k: held by"));
}

BOOST_AUTO_TEST_CASE(each_permit_is_shown) {
    program free = redlock({"inspect", "--permits", "2", "k"});
    BOOST_TEST(free.line_with("").value_or("") == "k: 0 of 2 permits are taken");
    BOOST_TEST(free.status() == 0);
    program one = redlock_run({"--permits", "2", "k"}, "echo begun; sleep 600");
    BOOST_REQUIRE(one.says("begun"));
    program some = redlock({"inspect", "--permits", "2", "k"});
    BOOST_TEST(some.line_with("").value_or("") == "k: 1 of 2 permits are taken");
    BOOST_TEST(some.says("k:0"));
    BOOST_TEST(some.says("k:1"));
    BOOST_TEST(some.status() == 0);
    program two = redlock_run({"--permits", "2", "k"}, "echo begun; sleep 600");
    BOOST_REQUIRE(two.says("begun"));
    program all = redlock({"inspect", "--permits", "2", "--json", "k"});
    const auto report = boost::json::parse(all.line_with("{").value_or("null"));
    BOOST_TEST(report.at("key").as_string() == "k");
    for (const auto& permit : report.at("permits").as_array())
        BOOST_TEST(permit.at("state").as_string() == "held");
    BOOST_TEST(report.at("permits").as_array().size() == 2u);
    BOOST_TEST(all.status() == 110);
}

BOOST_AUTO_TEST_CASE(json_says_the_same) {
    hold("k");
    nodes[4].stop();
    program inspect = redlock({"inspect", "k", "--json"});
    const auto text = inspect.line_with("{").value_or("");
    BOOST_TEST(text.starts_with(
        R"({"key":"k","state":"held","holder":"somebody","holder_label":null,"votes":4,"majority":3,"waiting":0,"readers":[],"nodes":[)"));
    const auto first = fmt::format(
        R"({{"node":"{}/0","value":"somebody","label":null,"remaining_milliseconds":)", nodes[0].uri());
    BOOST_TEST(text.find(first) != std::string::npos);
    const auto server =
        fmt::format(R"("product":"{}","version":"{}"}})", nodes[0].product(), nodes[0].version());
    BOOST_TEST(text.find(server) != std::string::npos, text);
    const auto last = fmt::format(
        R"({{"node":"{}/0","value":null,"label":null,"remaining_milliseconds":null,"fence":null,"listeners":null,"readers":null,"more_readers":false,"product":null,"version":null,"error":")",
        nodes[4].uri());
    BOOST_TEST(text.find(last) != std::string::npos);
    BOOST_TEST(text.ends_with("\"}],\"engine\":\"redis\"}"));
    BOOST_TEST(inspect.status() == 110);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(watch, tool_fixture)

BOOST_AUTO_TEST_CASE(each_permit_is_watched) {
    program watch = redlock({"watch", "--interval", "20ms", "--permits", "2", "k"});
    BOOST_TEST(watch.says("k:0: free"));
    BOOST_TEST(watch.says("k:1: free"));
    const auto next_that_is_held = [&] {
        const std::string line = watch.line_with(": held").value_or("");
        return line.substr(0, line.find(": held"));
    };
    program one = redlock({"run", "--permits", "2", "k", "--", "cat"});
    const std::string first = next_that_is_held();
    program two = redlock({"run", "--permits", "2", "k", "--", "cat"});
    const std::string second = next_that_is_held();
    BOOST_TEST(((first.ends_with("k:0") && second.ends_with("k:1")) ||
                (first.ends_with("k:1") && second.ends_with("k:0"))),
               first << ", then " << second);
}

BOOST_AUTO_TEST_CASE(each_change_is_a_line) {
    program watch = redlock({"watch", "--interval", "20ms", "k", "other"});
    BOOST_TEST(watch.says("k: free"));
    BOOST_TEST(watch.says("other: free"));
    hold("k");
    BOOST_TEST(watch.says("k: held by somebody"));
    for (auto& node : nodes)
        node.command({"SET", "k", "another"});
    BOOST_TEST(watch.says("held by another"));
    for (auto& node : nodes)
        node.command({"DEL", "k"});
    BOOST_TEST(watch.says("k: free"));
    stop_majority();
    BOOST_TEST(watch.says("k: not known"));
    watch.signal(SIGINT);
    BOOST_TEST(watch.status() == 130);
}

BOOST_AUTO_TEST_CASE(json_has_a_line_for_each_change) {
    program watch = redlock({"watch", "--interval", "20ms", "--json", "k"});
    const auto first = boost::json::parse(watch.line_with("{").value_or("null"));
    BOOST_TEST(first.at("state").as_string() == "free");
    BOOST_TEST(first.at("change").as_string() == "free");
    BOOST_TEST(first.at("time").as_string().size() == std::string_view("2000-01-01T00:00:00.000Z").size());
    program run = redlock_run({"k", "--label", "night shift"}, "sleep 600");
    const auto second = boost::json::parse(watch.line_with("held").value_or("null"));
    BOOST_TEST(second.at("holder_label").as_string() == "night shift");
    run.kill();
    watch.signal(SIGINT);
    BOOST_TEST(watch.status() == 130);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
