#include "tool/bench/chart/svg.hpp"
#include "tool/bench/load/arrival_schedule.hpp"
#include "tool/bench/load/node_clock.hpp"
#include "tool/bench/report/bench_record.hpp"
#include "tool/bench/report/progress.hpp"
#include "tool/bench/report/report_page.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace redlock::tool {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using time_point = arrival_schedule::time_point;

BOOST_AUTO_TEST_SUITE(bench_figures)

load_report told(std::uint64_t grants, bool second_node_ready) {
    load_report report;
    report.counts.grants = grants;
    for (std::uint64_t i = 0; i < grants; ++i)
        report.latency.record(milliseconds(2));
    report.nodes = 2;
    report.node[0] = {true, 1'000'000'000, 1'000'000'000, 1'000'000, 10, 0, 0};
    const std::int64_t up = second_node_ready ? 1'000'000'000 : 250'000'000;
    report.node[1] = {second_node_ready, up, 1'000'000'000, 3'000'000, 5, 1, 1};
    return report;
}

bench_record recorded(std::size_t most_points) {
    bench_plan plan;
    plan.processes = 2;
    bench_record record(plan, most_points);
    record.name_node(0, "redis://one:1/0");
    record.name_node(1, "redis://two<&\"'>:2/0");
    for (int second = 1; second <= 8; ++second) {
        record.add(0, told(10, true));
        record.add(1, told(20, second != 4));
        record.close_point(second);
    }
    return record;
}

BOOST_AUTO_TEST_CASE(what_processes_tell_is_added_up) {
    bench_record record = recorded(100);
    record.add(0, told(5, true));
    record.process_ended(0, "");
    record.process_ended(1, "process 2 <ended>");
    const bench_report report = record.finish(8.1, 0);
    BOOST_TEST(report.counts.grants == 245u);
    BOOST_TEST(report.latency.count() == 245u);
    BOOST_REQUIRE(report.points.size() == 8u);
    BOOST_TEST(report.points[0].per_second(report.points[0].counts.grants) == 30);
    BOOST_TEST(report.points[3].nodes_up() == 1u);
    BOOST_TEST(report.points[3].nodes[1].ready == 1u);
    BOOST_TEST(report.points[4].nodes_up() == 2u);
    BOOST_TEST((report.points[4].nodes[1].round_trip == milliseconds(3)));
    BOOST_TEST(report.points[7].counts.grants == 35u);
    BOOST_TEST(report.points[7].end == 8.1);
    BOOST_TEST(report.nodes[0].up == 1);
    // One process told of 9 s, the other of 8 s, of which three quarters of a second were a failure.
    BOOST_TEST(std::abs(report.nodes[1].up - 16.25 / 17) < 1e-9);
    BOOST_TEST(report.nodes[1].timeouts == 2u);
    BOOST_TEST(report.faults.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_long_run_keeps_few_points_and_every_failure) {
    const bench_report report = recorded(4).finish(8, 0);
    BOOST_TEST(report.points.size() <= 4u);
    std::uint64_t grants = 0;
    double end = 0;
    for (const auto& p : report.points) {
        BOOST_TEST(p.begin == end);
        end = p.end;
        grants += p.counts.grants;
    }
    BOOST_TEST(end == 8);
    BOOST_TEST(grants == 240u);
    BOOST_TEST(std::ranges::count_if(report.points, [](const auto& p) { return p.nodes_up() == 1; }) == 1);
}

BOOST_AUTO_TEST_CASE(a_line_of_progress) {
    bench_record record = recorded(100);
    record.add(0, told(40, true));
    const bench_point& quiet = record.close_point(10);
    BOOST_TEST(progress_line(quiet, unlimited) ==
               "  10.0 s        20 grants/s  p50     2 ms  p99     2 ms  errors 0/s  nodes 2/2");
    BOOST_TEST(progress_line(quiet, 79) == progress_line(quiet, unlimited));
    BOOST_TEST(progress_line(quiet, 60) == "10.0 s 20 grants/s errors 0/s nodes 2/2");
    BOOST_TEST(progress_line(quiet, 35) == "10.0 s 20 grants/s errors 0/s nodes");
}

BOOST_AUTO_TEST_CASE(progress_counts_errors_by_the_second) {
    bench_record record = recorded(100);
    load_report failing = told(0, true);
    failing.counts.no_quorum = 6;
    failing.counts.dropped = 1;
    record.add(0, failing);
    BOOST_TEST(
        progress_line(record.close_point(10), unlimited).ends_with("errors 3/s  nodes 2/2  dropped 0.5/s"));
    record.add(0, told(1, true));
    BOOST_TEST(progress_line(record.close_point(11), unlimited).ends_with("errors 0/s  nodes 2/2"));
}

// A node that was away and came back between two points was away all the same.
BOOST_AUTO_TEST_CASE(a_short_failure_counts) {
    bench_record record = recorded(100);
    record.add(1, told(0, false));
    record.add(1, told(0, true));
    BOOST_TEST(record.close_point(10).nodes_up() == 1u);
    record.add(1, told(0, true));
    BOOST_TEST(record.close_point(11).nodes_up() == 2u);
    // Nothing was told meanwhile.
    BOOST_TEST(record.close_point(12).nodes_up() == 2u);
    const bench_report report = record.finish(12, 0);
    BOOST_TEST(report.nodes[0].up == 1);
    BOOST_TEST(std::abs(report.nodes[1].up - 17.5 / 19) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_clock_counts_while_a_node_is_up) {
    const node_clock::time_point begin{};
    const auto at = [&](int n) { return begin + milliseconds(n); };
    node_clock clock(true, at(0));
    clock.change(false, at(300));
    clock.change(true, at(500));
    auto share = clock.take(at(1000));
    BOOST_TEST((share.up == milliseconds(800)));
    BOOST_TEST((share.watched == milliseconds(1000)));
    clock.change(false, at(1000));
    share = clock.take(at(1400));
    BOOST_TEST((share.up == milliseconds(0)));
    BOOST_TEST((share.watched == milliseconds(400)));
}

BOOST_AUTO_TEST_CASE(figures_are_written_for_people) {
    BOOST_TEST(number_text(0) == "0");
    BOOST_TEST(number_text(999) == "999");
    BOOST_TEST(number_text(1'000) == "1,000");
    BOOST_TEST(number_text(1'234'567) == "1,234,567");
    BOOST_TEST(rate_text(99.6) == "99.6");
    BOOST_TEST(rate_text(99.96) == "100");
    BOOST_TEST(rate_text(111963.4) == "111,963");
    BOOST_TEST(rate_text(0.25) == "0.25");
    BOOST_TEST(percent_text(1) == "100.0 %");
    BOOST_TEST(percent_text(0.99999) == "99.9 %");
    for (const auto& [time, text] : {std::pair(0, "-"),
                                     {12, "12 ns"},
                                     {1'250, "1.25 µs"},
                                     {61'600, "61.6 µs"},
                                     {999'600, "1 ms"},
                                     {999'400'000, "999 ms"},
                                     {1'999'000'000, "2 s"}})
        BOOST_TEST(length_text(nanoseconds(time)) == text);
}

BOOST_AUTO_TEST_CASE(the_report_decides_on_the_status) {
    bench_report report;
    BOOST_TEST(status_of(report) == 0);
    report.counts.no_quorum = 1;
    BOOST_TEST(status_of(report) == 112);
    report.counts.grants = 1;
    BOOST_TEST(status_of(report) == 0);
    report.counts.lost = 1;
    BOOST_TEST(status_of(report) == 113);
    report.faults.push_back("gone");
    BOOST_TEST(status_of(report) == 115);
    report.signal = 2;
    BOOST_TEST(status_of(report) == 130);
}

BOOST_AUTO_TEST_CASE(what_stands_in_a_page_cannot_change_it) {
    BOOST_TEST(svg::escaped("<a href=\"x\">&'\x01") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;?");
    bench_record record = recorded(100);
    record.process_ended(1, "process 2 <ended>");
    const auto page = page_of(record.finish(8, 0));
    BOOST_TEST(page.find("two<") == std::string::npos);
    BOOST_TEST(page.find("two&lt;&amp;&quot;&#39;&gt;:2/0") != std::string::npos);
    BOOST_TEST(page.find("process 2 &lt;ended&gt;") != std::string::npos);
}

// On a telephone, too.
BOOST_AUTO_TEST_CASE(a_page_breaks_neither_a_figure_nor_an_option) {
    bench_record record = recorded(100);
    bench_report report = record.finish(8, 0);
    report.origin.command_line = "redlock bench --key-prefix 'a b' --html <x>";
    const auto page = page_of(report);
    BOOST_TEST(page.find(R"(<code><span class="word">redlock</span> <span class="word">bench</span> )"
                         R"(<span class="word">--key-prefix</span> <span class="word">&#39;a</span> )"
                         R"(<span class="word">b&#39;</span> <span class="word">--html</span> )"
                         R"(<span class="word">&lt;x&gt;</span></code>)") != std::string::npos);
    BOOST_TEST(page.find(".word { display: inline-block;") != std::string::npos);
    const auto count = [&](std::string_view what) {
        std::size_t number = 0;
        for (auto at = page.find(what); at != std::string::npos; at = page.find(what, at + 1))
            ++number;
        return number;
    };
    BOOST_TEST(count("<svg") >= 4u);
    BOOST_TEST(count("<div class=\"wide\"><svg") == count("<svg"));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::tool
