#include "support/process_table.hpp"
#include "terminal.hpp"
#include "tool_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <csignal>
#include <fstream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace redlock::test {
namespace {

namespace json = boost::json;

struct bench_fixture : tool_fixture {
    /// Keys on all nodes together.
    std::int64_t keys() {
        std::int64_t all = 0;
        for (auto& node : nodes)
            all += node.key_count();
        return all;
    }
    bool are_loaded() {
        return eventually([&] { return keys() > 0; });
    }
};

/// On a busy machine a node may take its time without being taken for one that is down.
const std::vector<std::string> calm{"bench", "--node-timeout", "20s"};

program bench(std::vector<std::string> options) {
    options.insert(options.begin(), calm.begin(), calm.end());
    return redlock(std::move(options));
}

json::value report_of(program& tool) { return json::parse(tool.line_with("{\"plan\"").value_or("null")); }

std::uint64_t count_of(const json::value& report, const char* name) {
    return json::value_to<std::uint64_t>(report.at("counts").at(name));
}

double latency_of(const json::value& report, const char* name, const char* kind = "latency_milliseconds") {
    return report.at(kind).at(name).to_number<double>();
}

BOOST_FIXTURE_TEST_SUITE(bench_suite, bench_fixture)

BOOST_AUTO_TEST_CASE(every_attempt_is_counted_and_given_back) {
    program tool = bench({"--processes", "2", "--callers", "8", "--keys", "20", "--distribution", "zipf:1.2",
                          "--count", "301", "--json", "--quiet"});
    const auto report = report_of(tool);
    BOOST_TEST(count_of(report, "grants") == 301u);
    BOOST_TEST(report.at("latency_milliseconds").at("count").to_number<int>() == 301);
    BOOST_TEST(report.at("nodes").as_array().size() == 5u);
    BOOST_TEST(report.at("faults").as_array().empty());
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(keys() == 0);
}

BOOST_AUTO_TEST_CASE(the_end_finds_callers_in_the_midst_of_everything) {
    program tool = bench({"--processes", "2", "--callers", "200", "--hold", "1ms", "--duration", "300ms",
                          "--json", "--quiet"});
    const auto report = report_of(tool);
    BOOST_TEST(count_of(report, "cut_off") > 0u);
    BOOST_TEST(count_of(report, "unlock_failures") == 0u);
    BOOST_TEST(report.at("faults").as_array().empty());
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(keys() == 0);
}

BOOST_AUTO_TEST_CASE(progress_comes_line_by_line_and_then_the_table) {
    program tool = bench({"--callers", "4", "--duration", "300ms", "--interval", "100ms"});
    BOOST_TEST(tool.says("nodes 5/5"));
    BOOST_TEST(tool.says("1 process of 4 callers, 1,000 keys alike, closed loop"));
    BOOST_TEST(tool.says("granted"));
    BOOST_TEST(tool.says("p99.9"));
    for (auto& node : nodes)
        BOOST_TEST(tool.says(node.uri()));
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(keys() == 0);
}

BOOST_AUTO_TEST_CASE(interrupting_gives_the_report_and_everything_back) {
    const environment kind("TERM", "xterm");
    // Some hold their locks, the others wait for them.
    terminal tty({REDLOCK_TOOL, "bench", "--processes", "2", "--callers", "6", "--keys", "3", "--hold", "1h",
                  "--duration", "1h", "--interval", "50ms", "--node-timeout", "20s"});
    BOOST_TEST(tty.shows("nodes 5/5"));
    BOOST_TEST(tty.shows("\r"));
    BOOST_REQUIRE(are_loaded());
    tty.type("\x03");
    BOOST_TEST(tty.shows("interrupted"));
    BOOST_TEST(tty.shows("cut off by the end"));
    BOOST_TEST(tty.status().value_or(-1) == 130);
    BOOST_TEST(keys() == 0);
}

BOOST_AUTO_TEST_CASE(a_node_that_dies_shows_in_the_report) {
    const auto file = (folder.path() / "report.html").string();
    program tool =
        bench({"--callers", "4", "--interval", "50ms", "--duration", "1h", "--json", "--html", file});
    BOOST_REQUIRE(tool.says("nodes 5/5"));
    nodes[2].kill();
    BOOST_REQUIRE(tool.says("nodes 4/5"));
    nodes[2].restart();
    BOOST_REQUIRE(tool.says("nodes 5/5"));
    tool.signal(SIGINT);
    const auto report = report_of(tool);
    BOOST_TEST(tool.status() == 130);
    BOOST_TEST(count_of(report, "lost") == 0u);
    for (std::size_t i = 0; i < 5; ++i)
        BOOST_TEST((report.at("nodes").at(i).at("up").to_number<double>() < 1) == (i == 2));
    BOOST_TEST(keys() == 0);

    std::stringstream page;
    page << std::ifstream(file).rdbuf();
    // It may have been back before a whole interval had passed.
    const auto has = [&](const char* box) { return page.str().find(box) != std::string::npos; };
    BOOST_TEST((has("class=\"down\"") || has("class=\"partly\"")));
    BOOST_TEST(page.str().find("<script") == std::string::npos);
    BOOST_TEST(page.str().find("src=") == std::string::npos);
    program parser("/usr/bin/env", {"python3", "-c",
                                    "import sys, xml.dom.minidom; "
                                    "page = xml.dom.minidom.parse(sys.argv[1]); "
                                    "print('charts', len(page.getElementsByTagName('svg')))",
                                    file});
    BOOST_TEST(parser.line_with("charts").value_or("") == "charts 9");
    BOOST_TEST(parser.status() == 0);
}

// Nothing is looked at between the beginning and the end, and at both the node is there.
BOOST_AUTO_TEST_CASE(a_node_that_is_away_for_a_moment_shows_in_the_report) {
    program tool = bench({"--callers", "4", "--interval", "1h", "--duration", "1h", "--json"});
    BOOST_REQUIRE(are_loaded());
    nodes[1].kill();
    nodes[1].restart();
    // One connection is that which asks.
    BOOST_REQUIRE(eventually([&] { return nodes[1].info("connected_clients") != "1"; }));
    BOOST_REQUIRE(eventually([&] { return nodes[1].info("total_commands_processed").size() > 2; }));
    tool.signal(SIGINT);
    const auto report = report_of(tool);
    for (std::size_t i = 0; i < 5; ++i)
        BOOST_TEST((report.at("nodes").at(i).at("up").to_number<double>() < 1) == (i == 1));
}

BOOST_AUTO_TEST_CASE(a_report_says_where_it_comes_from_and_no_secret) {
    const auto file = (folder.path() / "report.html").string();
    std::vector<std::string> words{"bench",   "--quiet", "--json", "--callers", "2",
                                   "--count", "2000",    "--html", file};
    for (auto& node : nodes) {
        node.command({"ACL", "SETUSER", "worker", "on", ">hunter2", "~*", "&*", "+@all"});
        words.insert(words.end(), {"-n", node.uri("worker", "hunter2")});
    }
    *(words.end() - 2) = "--node=" + words.back();
    words.pop_back();
    program tool = redlock(words);
    const auto report = report_of(tool);
    BOOST_TEST(tool.status() == 0);
    std::stringstream file_text;
    file_text << std::ifstream(file).rdbuf();
    const std::string page = file_text.str();
    const std::string text_of_page = std::regex_replace(page, std::regex("<[^>]*>"), "");
    const std::string server = nodes[0].product() + " " + nodes[0].version();
    for (const std::string& part :
         {std::string("redlock bench --quiet --json --callers 2 --count 2000 --html "),
          " -n redis://127.0.0.1:" + std::to_string(nodes[0].port()), server, std::string("2,000"),
          " --node=redis://127.0.0.1:" + std::to_string(nodes[4].port()), std::string("asio-redlock 0."),
          std::string("logarithmic"), std::string("99.9 %")})
        BOOST_TEST(text_of_page.find(part) != std::string::npos, part);
    BOOST_TEST(page.find("<td>" + server + "</td>") != std::string::npos);
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    BOOST_TEST(page.find(std::string("<td>") + host.data()) != std::string::npos);
    BOOST_TEST(page.find("<th>Begun</th><td>20") != std::string::npos);
    BOOST_TEST(json::value_to<std::string>(report.at("nodes").at(0).at("server")) == server);
    for (const std::string& text : {page, json::serialize(report)})
        for (const char* secret : {"hunter2", "worker"})
            BOOST_TEST(text.find(secret) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_open_loop_counts_from_the_intended_start) {
    program tool = bench({"--callers", "2", "--rate", "200", "--arrivals", "even", "--count", "400",
                          "--interval", "50ms", "--json"});
    BOOST_REQUIRE(tool.says("nodes 5/5"));
    stop_majority();
    // Two callers are busy with two attempts for twelve intervals, while others become due.
    for (int i = 0; i < 12; ++i)
        BOOST_TEST(tool.says("grants/s"));
    for (auto& node : nodes)
        node.resume();
    const auto report = report_of(tool);
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(latency_of(report, "p90") > 300);
    BOOST_TEST(latency_of(report, "p90", "service_milliseconds") < 200);
    BOOST_TEST(count_of(report, "grants") == 400u);
    BOOST_TEST(keys() == 0);
}

BOOST_AUTO_TEST_CASE(what_finds_the_backlog_full_is_dropped_and_counted) {
    hold("all:0");
    program tool = bench({"--distribution", "one", "--callers", "1", "--rate", "1000", "--backlog", "5",
                          "--duration", "300ms", "--bench-prefix", "all:", "--quiet", "--json"});
    const auto report = report_of(tool);
    BOOST_TEST(count_of(report, "grants") == 0u);
    BOOST_TEST(count_of(report, "cut_off") == 6u);
    BOOST_TEST(count_of(report, "dropped") > 100u);
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(nodes.holders("all:0") == 5u);
}

BOOST_AUTO_TEST_CASE(a_process_that_dies_is_reported_and_the_others_go_on) {
    program tool = bench({"--processes", "2", "--callers", "2", "--duration", "1h", "--interval", "50ms"});
    BOOST_REQUIRE(tool.says("nodes 5/5"));
    const auto load = children_of(tool.pid());
    BOOST_REQUIRE(load.size() == 2u);
    ::kill(load[0], SIGKILL);
    BOOST_TEST(tool.says("nodes 5/5"));
    ::kill(load[1], SIGTERM);
    BOOST_TEST(tool.says("process 1 (pid " + std::to_string(load[0]) + ") ended by signal 9"));
    BOOST_TEST(tool.status() == 115);
}

BOOST_AUTO_TEST_CASE(the_load_ends_with_the_command) {
    program tool = bench({"--processes", "3", "--callers", "2", "--hold", "1h", "--duration", "1h"});
    BOOST_REQUIRE(are_loaded());
    const auto load = children_of(tool.pid());
    BOOST_TEST(load.size() == 3u);
    tool.kill();
    for (const int pid : load)
        BOOST_TEST(eventually([&] { return has_ended(pid); }));
    BOOST_TEST(eventually([&] { return keys() == 0; }));
}

BOOST_AUTO_TEST_CASE(fencing_leaves_counters_that_run_out) {
    program tool = bench({"--fencing", "--keys", "2", "--callers", "2", "--count", "10", "--quiet"});
    BOOST_TEST(tool.status() == 0);
    BOOST_TEST(keys() > 0);
    for (auto& node : nodes) {
        for (const auto& key : node.command({"KEYS", "*"}).elements) {
            BOOST_TEST(key.text.ends_with(":redlock-fence"));
            BOOST_TEST((node.pttl(key.text) > std::chrono::minutes(1)));
            BOOST_TEST((node.pttl(key.text) <= std::chrono::minutes(64)));
        }
    }
}

BOOST_AUTO_TEST_CASE(without_a_majority_nothing_is_granted) {
    for (std::size_t i = 0; i < 3; ++i)
        nodes[i].kill();
    program tool = redlock({"bench", "--callers", "2", "--duration", "500ms", "--quiet"});
    BOOST_TEST(tool.says("too few nodes answered"));
    BOOST_TEST(tool.status() == 112);
    BOOST_TEST(bench({"--distribution", "gauss"}).status() == 64);
    BOOST_TEST(bench({"--ttl", "10ms", "--html", "/nonexistent/page"}).status() == 115);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
