#include "support/child_process.hpp"
#include "support/eventually.hpp"

#include <redlock/prometheus.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace redlock::test {
namespace {

using namespace std::chrono_literals;

latency_histogram three_values() {
    return {.buckets = {{24us, 32us + 768ns, 2}, {1s, 2s, 1}}, .count = 3, .sum = 1500ms};
}

// Every number is another one.
metrics_snapshot sample_snapshot() {
    metrics_snapshot m;
    m.grants = 101;
    m.refusals = 102;
    m.renewals = 103;
    m.failed_renewals = 104;
    m.handoffs = 105;
    m.remote_handoffs = 106;
    m.lost_by_deadline = 107;
    m.lost_by_majority = 108;
    m.held = 109;
    m.inflight_limit = 110;
    m.refused_calls = {{errc::held, 111}, {errc::wait_timeout, 112}, {errc::server_error, 113}};
    m.time_to_acquire = three_values();
    node_metrics n;
    n.node = "redis://10.0.0.1:6379/0";
    n.state = "suspect";
    n.wakeup = wakeup::client_tracking;
    n.timeouts = 114;
    n.quarantines = 115;
    n.round_trips = three_values();
    m.nodes = {n};
    m.engine = "postgresql";
    return m;
}

bool has_line(const std::string& text, std::string_view line) {
    return ('\n' + text).find('\n' + std::string(line) + '\n') != std::string::npos;
}

#ifdef REDLOCK_PROMTOOL
bool promtool_likes(const std::string& text) {
    child_process promtool({REDLOCK_PROMTOOL, "check", "metrics"});
    promtool.write_line(text);
    promtool.close_input();
    return promtool.wait(patience) == 0;
}
#endif

std::string text_with_node(const std::string& name) {
    metrics_snapshot m = sample_snapshot();
    m.nodes[0].node = name;
    return to_prometheus(m);
}

BOOST_AUTO_TEST_SUITE(prometheus_text)

BOOST_AUTO_TEST_CASE(the_values_are_those_of_the_snapshot) {
    const std::string text = to_prometheus(sample_snapshot());
    for (const char* line :
         {"redlock_engine_info{engine=\"postgresql\"} 1", "redlock_grants_total 101",
          "redlock_refused_rounds_total 102", "redlock_renewals_total{outcome=\"confirmed\"} 103",
          "redlock_renewals_total{outcome=\"failed\"} 104", "redlock_handoffs_total{from=\"local\"} 105",
          "redlock_handoffs_total{from=\"remote\"} 106", "redlock_leases_lost_total{cause=\"deadline\"} 107",
          "redlock_leases_lost_total{cause=\"majority\"} 108", "redlock_leases_held 109",
          "redlock_rounds_inflight_limit 110", "redlock_refused_calls_total{reason=\"held\"} 111",
          "redlock_refused_calls_total{reason=\"wait_timeout\"} 112",
          "redlock_refused_calls_total{reason=\"server_error\"} 113",
          "redlock_node_state{node=\"redis://10.0.0.1:6379/0\",state=\"suspect\"} 1",
          "redlock_node_state{node=\"redis://10.0.0.1:6379/0\",state=\"ready\"} 0",
          "redlock_node_wakeup{node=\"redis://10.0.0.1:6379/0\",mode=\"client_tracking\"} 1",
          "redlock_node_timeouts_total{node=\"redis://10.0.0.1:6379/0\"} 114",
          "redlock_node_quarantines_total{node=\"redis://10.0.0.1:6379/0\"} 115"})
        BOOST_TEST(has_line(text, line), line);
}

BOOST_AUTO_TEST_CASE(a_histogram_is_cumulative_and_in_seconds) {
    const std::string text = to_prometheus(sample_snapshot());
    for (const char* line :
         {"redlock_acquire_seconds_bucket{le=\"1.6384e-05\"} 0",
          "redlock_acquire_seconds_bucket{le=\"3.2768e-05\"} 2",
          "redlock_acquire_seconds_bucket{le=\"1.073741824\"} 2",
          "redlock_acquire_seconds_bucket{le=\"2.147483648\"} 3",
          "redlock_acquire_seconds_bucket{le=\"+Inf\"} 3", "redlock_acquire_seconds_sum 1.5",
          "redlock_acquire_seconds_count 3", "redlock_hold_seconds_bucket{le=\"+Inf\"} 0",
          "redlock_node_round_trip_seconds_bucket{node=\"redis://10.0.0.1:6379/0\",le=\"3.2768e-05\"} 2",
          "redlock_node_round_trip_seconds_count{node=\"redis://10.0.0.1:6379/0\"} 3"})
        BOOST_TEST(has_line(text, line), line);
}

BOOST_AUTO_TEST_CASE(every_metric_is_explained_once) {
    const std::string text = to_prometheus(sample_snapshot());
    std::size_t metrics = 0;
    for (std::size_t at = text.find("# TYPE "); at != text.npos; at = text.find("# TYPE ", at + 1)) {
        ++metrics;
        const std::string name = text.substr(at + 7, text.find(' ', at + 7) - at - 7);
        BOOST_TEST(text.find("# HELP " + name + ' ') == text.rfind("# HELP " + name + ' '));
        BOOST_TEST(text.rfind("# TYPE " + name + ' ') == at);
    }
    BOOST_TEST(metrics > 30u);
}

BOOST_AUTO_TEST_CASE(what_a_label_must_not_contain_is_escaped) {
    const std::string quoted = text_with_node("a\"} 1\nredlock_grants_total 7\\");
    BOOST_TEST(!has_line(quoted, "redlock_grants_total 7"));
    BOOST_TEST(has_line(quoted, R"(redlock_node_quarantined{node="a\"} 1\nredlock_grants_total 7\\"} 0)"));
    // Latin 1, a surrogate, an overlong slash, a character that was cut off; the umlaut and the emoji stay.
    const std::string broken = text_with_node("\xfc \xed\xa0\x80 \xc0\xaf \xf0\x9f \xc3\xbc\xf0\x9f\x94\x92");
    BOOST_TEST(has_line(broken,
                        "redlock_node_quarantined{node=\"\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                        "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd \xc3\xbc\xf0\x9f\x94\x92\"} 0"));
}

#ifdef REDLOCK_PROMTOOL
BOOST_AUTO_TEST_CASE(promtool_has_nothing_to_say_against_it) {
    BOOST_TEST(promtool_likes(to_prometheus({})));
    BOOST_TEST(promtool_likes(to_prometheus(sample_snapshot())));
    BOOST_TEST(promtool_likes(text_with_node("a\"} 1\nredlock_grants_total 7\\")));
    BOOST_TEST(promtool_likes(text_with_node(std::string("\xfc\xff\0\x80", 4))));
    BOOST_TEST(!promtool_likes("redlock_grants_total{node=\"\xfc\"} 1"));
}
#endif

BOOST_AUTO_TEST_SUITE_END()

} // namespace
} // namespace redlock::test
