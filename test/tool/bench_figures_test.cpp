#include "tool/bench/load/arrival_schedule.hpp"
#include "tool/bench/load/node_clock.hpp"
#include "tool/bench/report/bench_record.hpp"
#include "tool/bench/report/chart.hpp"
#include "tool/bench/report/progress.hpp"
#include "tool/bench/report/report_page.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace redlock::tool {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using time_point = arrival_schedule::time_point;

BOOST_AUTO_TEST_SUITE(bench_figures)

BOOST_AUTO_TEST_CASE(every_length_has_a_bucket_that_is_not_much_longer) {
    for (std::size_t i = 0; i < latency_counts::buckets; ++i)
        BOOST_TEST(latency_counts::bucket_of(latency_counts::top_of(i)) == i);
    for (std::int64_t length = 1; length < 2'000'000'000'000; length = length * 5 / 4 + 1) {
        const auto top = latency_counts::top_of(latency_counts::bucket_of(nanoseconds(length)));
        BOOST_TEST(top.count() >= length);
        BOOST_TEST(static_cast<double>(top.count()) <= static_cast<double>(length) * (1 + 1.0 / 32));
    }
    BOOST_TEST(latency_counts::bucket_of(nanoseconds(-1)) == 0u);
    BOOST_TEST(latency_counts::bucket_of(nanoseconds::max()) == latency_counts::buckets - 1);
}

BOOST_AUTO_TEST_CASE(percentiles_are_those_of_the_values) {
    latency_counts counts;
    BOOST_TEST(counts.percentile(99).count() == 0);
    latency_counts odd;
    for (int i = 1; i <= 1000; ++i)
        (i % 2 == 0 ? counts : odd).record(microseconds(i));
    counts.merge(odd);
    BOOST_TEST(counts.count() == 1000u);
    BOOST_TEST((counts.mean() == nanoseconds(500'500)));
    BOOST_TEST((counts.max() == milliseconds(1)));
    for (const double percent : {1.0, 50.0, 90.0, 99.0, 100.0}) {
        const auto found = static_cast<double>(counts.percentile(percent).count());
        BOOST_TEST(found >= percent * 1e4);
        BOOST_TEST(found <= percent * 1e4 * (1 + 1.0 / 32));
    }
}

// The bounds are six standard deviations away, and the sequence is always the same.
BOOST_AUTO_TEST_CASE(keys_come_as_often_as_zipf_says) {
    constexpr int draws = 200'000;
    for (const double exponent : {0.5, 1.0, 2.5}) {
        const key_distribution keys(key_shape::zipf, 50, exponent);
        std::mt19937_64 random(7);
        std::vector<int> seen(50);
        for (int i = 0; i < draws; ++i)
            ++seen.at(keys.draw(random));
        double all = 0;
        for (int k = 1; k <= 50; ++k)
            all += std::pow(k, -exponent);
        for (int k = 1; k <= 50; ++k) {
            const double expected = draws * std::pow(k, -exponent) / all;
            BOOST_TEST(std::abs(seen[static_cast<std::size_t>(k - 1)] - expected) <= 6 * std::sqrt(expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(one_key_and_keys_alike) {
    std::mt19937_64 random(7);
    const key_distribution one(key_shape::one, 1000, 1);
    const key_distribution alike(key_shape::uniform, 10, 1);
    const key_distribution many(key_shape::zipf, 1'000'000'000, 1);
    std::vector<int> seen(10);
    for (int i = 0; i < 10'000; ++i) {
        BOOST_TEST(one.draw(random) == 0u);
        ++seen.at(alike.draw(random));
        BOOST_TEST(many.draw(random) < 1'000'000'000u);
    }
    for (const int number : seen)
        BOOST_TEST(std::abs(number - 1000) < 200);
}

BOOST_AUTO_TEST_CASE(even_arrivals_do_not_drift) {
    const time_point begin{seconds(100)};
    arrival_schedule schedule(begin, 3, false, 0);
    for (int i = 0; i < 3'000; ++i)
        schedule.next();
    const auto off = schedule.next() - begin - nanoseconds(3001 * std::int64_t{1'000'000'000} / 3);
    BOOST_TEST(std::abs(nanoseconds(off).count()) < 1000);
}

BOOST_AUTO_TEST_CASE(poisson_arrivals_have_the_rate_and_its_variance) {
    const time_point begin{};
    arrival_schedule schedule(begin, 100, true, 7);
    std::vector<int> in_second(1000);
    for (time_point t = schedule.next(); t < begin + seconds(1000); t = schedule.next())
        ++in_second.at(static_cast<std::size_t>((t - begin) / seconds(1)));
    double mean = 0;
    double squares = 0;
    for (const int n : in_second) {
        mean += n / 1000.0;
        squares += n * n / 1000.0;
    }
    BOOST_TEST(std::abs(mean - 100) < 2);
    BOOST_TEST(std::abs(squares - mean * mean - 100) < 30);
}

BOOST_AUTO_TEST_CASE(what_is_due_waits_in_order_up_to_the_limit) {
    const time_point begin{};
    const auto at = [&](int n) { return begin + milliseconds(10 * n); };
    arrival_queue queue(arrival_schedule(begin, 100, false, 0), 3);
    BOOST_TEST((queue.take(begin) == at(1)));
    BOOST_TEST((queue.take(begin) == at(2)));
    queue.advance(at(7) + milliseconds(1));
    BOOST_TEST(queue.waiting() == 3u);
    BOOST_TEST(queue.dropped() == 2u);
    BOOST_TEST((queue.take(at(7)) == at(3)));
    BOOST_TEST((queue.take(at(8) + milliseconds(1)) == at(4)));
    BOOST_TEST(queue.waiting() == 2u);
    BOOST_TEST((queue.take(at(8)) == at(5)));
    BOOST_TEST((queue.take(at(8)) == at(8)));
    BOOST_TEST((queue.take(at(8)) == at(9)));
    BOOST_TEST(queue.dropped() == 2u);
}

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
    BOOST_TEST(escaped("<a href=\"x\">&'\x01") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;?");
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
